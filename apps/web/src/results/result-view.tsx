import { type ReactNode, useMemo, useState } from 'react'
import { PlainText } from '../ui/plain-text.tsx'
import { type Tab, Tabs } from '../ui/tabs.tsx'
import { useWords } from '../words/use-words.ts'
import { DataTable } from './data-table.tsx'
import { FileBlock } from './file-block.tsx'
import { JsonView } from './json-view.tsx'
import { LongText } from './long-text.tsx'
import { resultWords } from './result-words.ts'
import { type ResultBlock, toContent } from './to-content.ts'
import { toShort } from './to-short.ts'
import { toTable } from './to-table.ts'

interface ResultViewProps {
  result: unknown
  /** For the names of files that are saved. */
  name: string
  /** Where it comes from, for what is shown with a view of its own. */
  about?: ReactNode
}

/** What a tool has given: tables, images, text, and whatever else as a tree. Never HTML. */
export function ResultView({ result, name, about }: ResultViewProps) {
  const words = useWords(resultWords)
  const blocks = useMemo(() => toContent(result), [result])
  if (blocks.length === 0) return <p className="text-sm text-soft">{words.empty}</p>
  return (
    <div className="flex flex-col gap-3">
      {blocks.map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place
        <Block key={i} block={block} name={name} about={about} />
      ))}
    </div>
  )
}

interface BlockProps extends Pick<ResultViewProps, 'name' | 'about'> {
  block: ResultBlock
}

function Block({ block, name, about }: BlockProps) {
  const words = useWords(resultWords)
  if (block.kind === 'text') return <LongText text={block.text} name={name} />
  if (block.kind === 'image') {
    return (
      <img
        src={block.src}
        alt={words.image}
        className="max-h-96 max-w-full rounded-lg border border-line object-contain"
      />
    )
  }
  if (block.kind === 'json') return <JsonBlock value={block.value} name={name} about={about} />
  if (block.kind === 'file') return <FileBlock file={block} name={name} />
  return (
    <p className="text-sm [overflow-wrap:anywhere]">
      {words.resource}: <PlainText text={toShort(block.name)} />{' '}
      <code className="text-soft">
        <PlainText text={toShort(block.uri, 2000)} />
      </code>
    </p>
  )
}

interface JsonBlockProps extends Pick<ResultViewProps, 'name' | 'about'> {
  value: unknown
}

/** A table can be looked at in several ways, one of them shown. */
function JsonBlock({ value, name, about }: JsonBlockProps) {
  const words = useWords(resultWords)
  const table = useMemo(() => toTable(value), [value])
  const [view, setView] = useState('table')
  if (!table) return <JsonView value={value} />
  const views: Tab[] = [
    { value: 'table', label: words.table, content: <DataTable table={table} name={name} /> },
    { value: 'json', label: words.json, content: <JsonView value={value} /> },
  ]
  if (about) views.push({ value: 'about', label: words.about, content: about })
  return <Tabs label={words.result} tabs={views} value={view} onChange={setView} />
}
