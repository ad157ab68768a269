import type { Citations } from '@dataagent/schema'
import { memo, useMemo } from 'react'
import { CitationsContext } from '../data/citations/queries-context.ts'
import { createPart } from '../ui/create-part.tsx'
import { splitBlocks, type TextBlock } from './split-blocks.ts'

const blockPart = createPart(() => import('./block.tsx').then(({ Block }) => Block))

/** Has it ready for the first answer. */
export const loadMarkdown = blockPart.load

interface MarkdownProps {
  text: string
  /** What its numbers rest on, once that was checked. */
  citations?: Citations | undefined
}

/**
 * Text of a model. No HTML of it is taken over, no address is asked for before a person clicks it.
 * Until what reads Markdown is there, it is shown as it was written.
 */
export const Markdown = memo(function Markdown({ text, citations }: MarkdownProps) {
  const block = blockPart.use()
  const blocks = useMemo(() => splitBlocks(text), [text])
  const uncovered = useMemo(
    () => blocks.map((each) => spansIn(each, text, citations)),
    [blocks, text, citations],
  )
  if (block.status !== 'there') {
    return <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
  }
  return (
    <CitationsContext value={citations}>
      <div className="markdown flex flex-col gap-3 [overflow-wrap:anywhere]">
        {blocks.map((each, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place
          <block.part key={i} text={each.text} uncovered={uncovered[i]} />
        ))}
      </div>
    </CitationsContext>
  )
})

/** The numbers of the block that no query has given, at their places within it. */
function spansIn(block: TextBlock, text: string, citations: Citations | undefined) {
  const end = block.from + block.text.length
  const found = citations?.uncovered
    .filter(({ from, to }) => from >= block.from && to <= end)
    .filter((span) => text.slice(span.from, span.to) === span.text)
    .map((span) => ({ ...span, from: span.from - block.from, to: span.to - block.from }))
  return found && found.length > 0 ? found : undefined
}
