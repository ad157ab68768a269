import type { QueryResult } from '@dataagent/schema'
import { HoverCard } from 'radix-ui'
import { use, useState } from 'react'
import { JumpContext } from '../../chat/jump.ts'
import { toCell } from '../../results/to-csv.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { useStoredQuery } from '../use-stored-query.ts'
import { citationWords } from './citation-words.ts'
import { findCited } from './cited-query.ts'
import { CitationsContext, QueriesContext } from './queries-context.ts'

/** `[q1]` or `[q1, q2]` in an answer: a chip for each. */
export function Citation({ text }: { text: string }) {
  const refs = text.match(/q\d+/g) ?? []
  return refs.map((ref, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a citation is known by its place
    <Chip key={i} citation={ref} />
  ))
}

/** A number that no query has given. */
export function Uncovered({ text }: { text: string }) {
  const words = useWords(citationWords)
  return (
    <span
      title={words.uncovered}
      className="cursor-help underline decoration-wait decoration-dotted decoration-2 underline-offset-4"
    >
      {text}
    </span>
  )
}

const chipClass =
  'mx-0.5 inline-flex items-center rounded-md px-1 align-baseline font-mono text-xs font-medium'

function Chip({ citation: ref }: { citation: string }) {
  const words = useWords(citationWords)
  const queries = use(QueriesContext)
  const citations = use(CitationsContext)
  const { jumpTo } = use(JumpContext)
  const [isOpen, setOpen] = useState(false)
  const cited = findCited(ref, citations, queries)
  if (cited === undefined) {
    // Until it was looked at, it is what it is.
    if (!citations) return `[${ref}]`
    return (
      <span
        title={words.dangling(ref)}
        className={`${chipClass} bg-bad-soft text-bad line-through`}
      >
        {ref}
        <span className="sr-only">{` (${words.dangling(ref)})`}</span>
      </span>
    )
  }
  const { query_id, shown } = cited
  return (
    <HoverCard.Root open={isOpen} onOpenChange={setOpen} openDelay={200} closeDelay={150}>
      <HoverCard.Trigger asChild>
        <button
          type="button"
          aria-label={words.chip(ref)}
          onClick={() => {
            if (!shown) return setOpen(true)
            setOpen(false)
            jumpTo({ turn_key: shown.turn_key, query_id })
          }}
          className={`${chipClass} bg-accent-soft text-accent hover:underline`}
        >
          {ref}
        </button>
      </HoverCard.Trigger>
      <HoverCard.Portal>
        <HoverCard.Content
          sideOffset={4}
          collisionPadding={8}
          className="z-40 w-[min(26rem,calc(100vw-1rem))] rounded-xl border border-line bg-panel p-3 text-sm shadow-float"
        >
          <Glance query_id={query_id} known={shown?.query} />
        </HoverCard.Content>
      </HoverCard.Portal>
    </HoverCard.Root>
  )
}

interface GlanceProps {
  query_id: string
  known: QueryResult | undefined
}

/** The statement and the first cells. */
function Glance({ query_id, known }: GlanceProps) {
  const words = useWords(citationWords)
  const { data, isError } = useStoredQuery(query_id, known === undefined)
  const query = known ?? data
  if (!query) return <p className="text-soft">{isError ? words.unknown : words.loading}</p>
  return (
    <div className="flex flex-col gap-2">
      <pre className="max-h-28 overflow-hidden rounded-lg bg-back p-2 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
        <PlainText text={query.sql.slice(0, 600)} />
      </pre>
      <FirstCells query={query} />
      {known && <p className="text-xs text-soft">{words.hint}</p>}
    </div>
  )
}

const [rowsMax, columnsMax] = [3, 4]

function FirstCells({ query: { columns, rows, row_count } }: { query: QueryResult }) {
  const words = useWords(citationWords)
  const formats = useFormats()
  if (rows.length === 0) return <p className="text-soft">{words.noRows}</p>
  const heads = columns.slice(0, columnsMax).map(({ name }) => name)
  return (
    <table className="w-full table-fixed text-xs">
      <thead>
        <tr>{heads.map((name, i) => toCellOf('th', name, i))}</tr>
      </thead>
      <tbody>
        {rows.slice(0, rowsMax).map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place
          <tr key={i}>
            {heads.map((_, at) => toCellOf('td', row[at] === null ? 'NULL' : row[at], at))}
          </tr>
        ))}
      </tbody>
      {row_count !== null && row_count > rowsMax && (
        <caption className="caption-bottom pt-1 text-left text-soft">
          {words.more(formats.number(row_count))}
        </caption>
      )}
    </table>
  )
}

function toCellOf(Tag: 'th' | 'td', value: unknown, key: number) {
  return (
    <Tag key={key} className="truncate border-b border-line px-1 py-0.5 text-left">
      <PlainText text={toCell(value).slice(0, 100)} />
    </Tag>
  )
}
