import { Link } from '@tanstack/react-router'
import { FileDown } from 'lucide-react'
import { use } from 'react'
import type { ShownBlock } from '../../chat/log/turn.ts'
import { Notice } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { QueriesContext } from '../citations/queries-context.ts'
import { useStoredQuery } from '../use-stored-query.ts'
import { QueryBlock } from './query-block.tsx'
import { queryWords } from './query-words.ts'

interface ShownBlockProps {
  block: ShownBlock
  session_id: string
}

/** What a tool shows beside its words: rows, a chart, a file. */
export function ShownBlockView({ block, session_id }: ShownBlockProps) {
  if (block.kind === 'query') {
    return <QueryBlock query={block.query} charts={block.charts} session_id={session_id} />
  }
  if (block.kind === 'export') return <FileBlock block={block} />
  return <LateChart block={block} session_id={session_id} />
}

type Of<K extends ShownBlock['kind']> = Extract<ShownBlock, { kind: K }>

function FileBlock({ block: { path, rows, bytes, format } }: { block: Of<'export'> }) {
  const words = useWords(queryWords)
  const formats = useFormats()
  return (
    <p className="flex flex-wrap items-center gap-2 rounded-xl border border-line bg-panel px-3 py-2 text-sm">
      <FileDown aria-hidden="true" className="size-4 shrink-0 text-soft" />
      <Link to="/files" search={{ open: path }} className="min-w-0 text-accent underline">
        <PlainText text={path} />
      </Link>
      <span className="text-soft">
        {words.file(formats.number(rows), format.toUpperCase())} · {formats.bytes(bytes)}
      </span>
    </p>
  )
}

/** A chart of a query that an earlier turn has run. */
function LateChart({ block, session_id }: { block: Of<'chart'>; session_id: string }) {
  const words = useWords(queryWords)
  const known = use(QueriesContext).get(block.ref)?.query
  const isKnown = known?.query_id === block.query_id
  const { data, isError } = useStoredQuery(block.query_id, !isKnown)
  const query = isKnown ? known : data
  if (query) return <QueryBlock query={query} charts={[block.chart]} session_id={session_id} />
  if (isError) return <Notice tone="wait">{words.lost(block.ref)}</Notice>
  return (
    <p role="status" className="flex items-center gap-2 text-sm text-soft">
      <Spinner /> {words.loading}
    </p>
  )
}
