import { ChartColumn, FileText, ImageIcon, Table2 } from 'lucide-react'
import { use, useEffect, useId, useMemo, useState } from 'react'
import { coversChat } from '../preferences/covers-chat.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { Button } from '../ui/button.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { useFormats, useWords } from '../words/use-words.ts'
import { useChat } from './chat-context.ts'
import { JumpContext } from './jump.ts'
import type { ChatView } from './log/chat-log.ts'
import type { Turn } from './log/turn.ts'
import { panelWords } from './panel-words.ts'
import {
  listResults,
  type ResultShape,
  type SessionResult,
  type SessionResults,
} from './session-results.ts'
import { useOwnResults } from './use-own-results.ts'

const pieceSize = 50

/** Tables and images that tools have given in this chat; a click shows the call. */
export function ResultsTab({ view: { turns, queries } }: { view: ChatView }) {
  const words = useWords(panelWords)
  const own = useOwnResults(useChat().session_id, queries)
  const heading = useId()
  const [limit, setLimit] = useState(pieceSize)
  const { results, hasMore, isUnfinished } = useResults(turns, limit)
  if (results.length === 0 && own.length === 0 && !isUnfinished)
    return <p className="text-sm text-soft">{words.noResults}</p>
  return (
    <>
      {own.length > 0 && (
        <section aria-labelledby={heading} className="mb-4">
          <h3 id={heading} className={headingClass}>
            {words.own}
          </h3>
          <Items results={own} />
        </section>
      )}
      {own.length > 0 && results.length > 0 && <h3 className={headingClass}>{words.ofTools}</h3>}
      <Items results={results} />
      {hasMore && (
        <Button size="small" className="my-3" onClick={() => setLimit((now) => now + pieceSize)}>
          {words.older}
        </Button>
      )}
      {isUnfinished && <Spinner className="my-3 size-4 text-soft" />}
    </>
  )
}

const headingClass = 'mb-2 text-[13px] font-medium text-soft'

function Items({ results }: { results: readonly SessionResult[] }) {
  return (
    <ol className="flex flex-col gap-2">
      {results.map((result) => (
        <li key={result.key}>
          <Item result={result} />
        </li>
      ))}
    </ol>
  )
}

/** Those that are read, and soon the others. */
function useResults(turns: readonly Turn[], limit: number): SessionResults {
  const [pass, setPass] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each pass finds more of them read
  const listed = useMemo(() => listResults(turns, limit), [turns, limit, pass])
  useEffect(() => {
    if (!listed.isUnfinished) return
    const timer = setTimeout(() => setPass((now) => now + 1))
    return () => clearTimeout(timer)
  }, [listed])
  return listed
}

const icons = { query: ChartColumn, table: Table2, image: ImageIcon, large: FileText }

function Item({ result }: { result: SessionResult }) {
  const words = useWords(panelWords)
  const formats = useFormats()
  const { jumpTo } = use(JumpContext)
  const preferences = usePreferences()
  const { turn_key, tool_call_id, tool_name, shape, at } = result
  const Icon = icons[shape.kind]
  return (
    <button
      type="button"
      title={shape.kind === 'query' ? words.jumpQuery(shape.ref) : words.jump(tool_name)}
      onClick={() => {
        // Where the panel covers the chat, the call would not be seen.
        if (coversChat('sidePanel')) preferences.set('sidePanel', 'closed')
        if (shape.kind === 'query') jumpTo({ turn_key, query_id: shape.query_id })
        else jumpTo({ turn_key, tool_call_id })
      }}
      className="flex w-full flex-col gap-1 rounded-lg border border-line p-2 text-left text-[13px] hover:bg-raised"
    >
      <span className="flex w-full items-center gap-2">
        <Icon aria-hidden="true" className="size-4 shrink-0 text-soft" />
        <span className="min-w-0 flex-1 truncate font-medium">
          <PlainText text={shape.kind === 'query' ? `${shape.ref} ${shape.title}` : tool_name} />
        </span>
        <time className="shrink-0 text-soft">{formats.clock(at)}</time>
      </span>
      <Shape shape={shape} />
    </button>
  )
}

function Shape({ shape }: { shape: ResultShape }) {
  const words = useWords(panelWords)
  const formats = useFormats()
  if (shape.kind === 'image') {
    return <img src={shape.src} alt={words.image} className="max-h-24 max-w-full object-contain" />
  }
  if (shape.kind === 'large') return <span className="text-soft">{words.large}</span>
  const { rows, columns } = shape
  const count = rows === null ? words.many : formats.number(rows)
  return (
    <>
      <span>{words.rowsOf(count, formats.number(columns.length))}</span>
      <span className="w-full truncate text-soft">
        <PlainText text={columns.join(', ').slice(0, 200)} />
      </span>
    </>
  )
}
