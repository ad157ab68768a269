import { Brain, FoldVertical } from 'lucide-react'
import { Fragment } from 'react'
import { Markdown } from '../../markdown/markdown.tsx'
import { createLateView } from '../../ui/create-part.tsx'
import { useWords } from '../../words/use-words.ts'
import { useChat } from '../chat-context.ts'
import { chatWords } from '../chat-words.ts'
import { hasAsked } from '../log/asking.ts'
import type { Part, ShownBlock, ToolPart } from '../log/turn.ts'
import { ErrorCard } from './error-card.tsx'
import { ToolCard } from './tool-card.tsx'
import { ToolGroup } from './tool-group.tsx'

const ApprovalCard = createLateView(() =>
  import('./approval-card.tsx').then(({ ApprovalCard }) => ApprovalCard),
)
const ShownBlockView = createLateView(() =>
  import('../../data/block/shown-block.tsx').then(({ ShownBlockView }) => ShownBlockView),
)

/** More calls than this in a row are folded into one line. */
const groupFrom = 4

interface PartListProps {
  parts: readonly Part[]
  /** What a helper did: what it has shown is below the call that it worked for. */
  isHelper?: boolean
}

/** What happened, one below the other; many calls in a row as one. */
export function PartList({ parts, isHelper = false }: PartListProps) {
  const shown = isHelper ? parts.filter(({ kind }) => kind !== 'block') : parts
  return toGroups(shown).map((group) => {
    if (!Array.isArray(group)) return <OnePart key={group.key} part={group} />
    const [first] = group
    if (!first) return null
    return (
      // The same element however many calls follow, so that what is shown of them stays.
      <Fragment key={`group ${first.key}`}>
        {group.length < groupFrom ? (
          group.map((part) => <OneTool key={part.key} part={part} />)
        ) : (
          <ToolGroup parts={group}>
            {group.map((part) => (
              <OneTool key={part.key} part={part} />
            ))}
          </ToolGroup>
        )}
        {!isHelper && <Blocks parts={group} />}
      </Fragment>
    )
  })
}

/** What calls show is seen, also where the calls themselves are folded. */
function Blocks({ parts }: { parts: readonly ToolPart[] }) {
  const { session_id } = useChat()
  return parts.flatMap(blocksOf).map((block, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place
    <ShownBlockView key={i} block={block} session_id={session_id} />
  ))
}

/** Those of helpers come with the call that they worked for. */
function blocksOf({ blocks, parts }: ToolPart): ShownBlock[] {
  return [
    ...blocks,
    ...parts.flatMap((part) => {
      if (part.kind === 'block') return [part.block]
      return part.kind === 'tool' ? blocksOf(part) : []
    }),
  ]
}

/** Calls that follow each other, together. One that asks somebody stands by itself. */
function toGroups(parts: readonly Part[]): (Exclude<Part, ToolPart> | ToolPart[])[] {
  const groups: (Exclude<Part, ToolPart> | ToolPart[])[] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (part.kind !== 'tool') groups.push(part)
    else if (Array.isArray(last) && last[0] && !hasAsked(part) && !hasAsked(last[0]))
      last.push(part)
    else groups.push([part])
  }
  return groups
}

function OneTool({ part }: { part: ToolPart }) {
  return (
    <>
      {part.approval && <ApprovalCard part={part} approval={part.approval} />}
      {(!part.approval || part.approval.answer) && (
        <ToolCard part={part}>
          {part.parts.length > 0 && <PartList parts={part.parts} isHelper />}
        </ToolCard>
      )}
      {/* What a helper asks is asked here, where it is seen. */}
      {part.parts
        .filter((below): below is ToolPart => below.kind === 'tool')
        .filter(({ approval }) => approval && !approval.answer)
        .map((below) => (
          <OneTool key={below.key} part={below} />
        ))}
    </>
  )
}

function OnePart({ part }: { part: Exclude<Part, ToolPart> }) {
  const words = useWords(chatWords)
  const { session_id } = useChat()
  if (part.kind === 'text') return <Markdown text={part.content} citations={part.citations} />
  if (part.kind === 'block') return <ShownBlockView block={part.block} session_id={session_id} />
  if (part.kind === 'error') return <ErrorCard error={part.error} />
  const Icon = part.kind === 'thought' ? Brain : FoldVertical
  return (
    <details className="text-sm text-soft">
      <summary className="flex list-none items-center gap-1.5">
        <Icon aria-hidden="true" className="size-4" />
        {part.kind === 'thought' ? words.thought : words.summary}
      </summary>
      <div className="mt-2 border-l-2 border-line pl-3">
        <Markdown text={part.content} />
      </div>
    </details>
  )
}
