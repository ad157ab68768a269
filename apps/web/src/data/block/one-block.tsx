import { suggestChart } from '@dataagent/data/charts'
import type { ChartSpec, QueryResult } from '@dataagent/schema'
import { ChevronRight } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { ChartTab } from '../chart/chart-tab.tsx'
import { ProblemNotice } from '../faults/fault-notice.tsx'
import { type OwnRun, useOwnRun } from '../own/use-own-run.ts'
import { useStoredQuery } from '../use-stored-query.ts'
import { AboutTab, VerifiedBadge } from './about-tab.tsx'
import { QueryTable } from './query-table.tsx'
import { queryWords } from './query-words.ts'
import { SaveQuestion } from './save-question.tsx'
import { SqlTab } from './sql-tab.tsx'
import { useBlockJump } from './use-block-jump.ts'
import { useRows } from './use-rows.ts'
import { useTotal } from './use-total.ts'

interface OneBlockProps {
  query: QueryResult
  charts?: readonly ChartSpec[] | undefined
  session_id: string | undefined
  /** The query that new results stand below. */
  below: string
  /** Whether the reader has run it. */
  isOwn?: boolean
  /** Whether its rows are not here yet: it is folded, and they come when it is opened. */
  isBrief?: boolean | undefined
  /** Whether it is the query of a question that is kept already. */
  isKept?: boolean | undefined
}

const noCharts: readonly ChartSpec[] = []

/** One result with its views, which can be folded. */
export function OneBlock(props: OneBlockProps) {
  const { query, charts = noCharts, session_id, below, isOwn, isBrief, isKept } = props
  const words = useWords(queryWords)
  const [isOpen, setOpen] = useState(!isBrief)
  const box = useBlockJump(query.query_id, () => setOpen(true))
  const own = useOwnRun({ query, session_id, below })
  const body = useId()
  const Shown = isBrief ? LateViews : Views
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={words.label(query.ref)}
      className="min-w-0 scroll-mt-14 rounded-xl border border-line bg-panel"
    >
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={body}
        title={words.fold(query.ref)}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full flex-wrap items-center gap-2 px-3 py-2 text-left text-sm"
      >
        <ChevronRight
          aria-hidden="true"
          className={cx('size-4 shrink-0 text-soft transition-transform', isOpen && 'rotate-90')}
        />
        <Head query={query} isOwn={isOwn} />
      </button>
      <div id={body} hidden={!isOpen} className="px-3 pb-3">
        {isOpen && <Shown {...{ query, charts, own, isKept }} />}
      </div>
    </section>
  )
}

function Head({ query, isOwn = false }: { query: QueryResult; isOwn: boolean | undefined }) {
  const words = useWords(queryWords)
  const formats = useFormats()
  const total = useTotal(query)
  const { ref, purpose, source_name, as_of, row_count } = query
  return (
    <>
      <Badge tone="accent">{ref}</Badge>
      <span className="min-w-0 flex-1 truncate font-medium">
        <PlainText text={purpose ?? source_name} />
      </span>
      {isOwn && <Badge tone="info">{words.ownRun}</Badge>}
      {query.verified_question_id !== undefined && <VerifiedBadge />}
      <span className="shrink-0 text-[13px] text-soft">
        {words.count(total, row_count === 1)}
        <span className="hidden sm:inline">{` · ${formats.time(as_of)}`}</span>
      </span>
    </>
  )
}

/** The same once its rows have come. */
function LateViews({ query, ...rest }: ViewsProps) {
  const words = useWords(queryWords)
  const { data, error } = useStoredQuery(query.query_id, true)
  if (data) return <Views query={data} {...rest} />
  if (error) return <ProblemNotice error={error} />
  return (
    <p role="status" className="flex items-center gap-2 text-sm text-soft">
      <Spinner /> {words.loading}
    </p>
  )
}

interface ViewsProps extends Pick<OneBlockProps, 'query' | 'isKept'> {
  charts: readonly ChartSpec[]
  own: OwnRun
}

function Views({ query, charts, own, isKept = false }: ViewsProps) {
  const words = useWords(queryWords)
  const loaded = useRows(query)
  // What is chosen first stays, however many rows come.
  const [tab, setTab] = useState(() => (isBestDrawn(query) ? 'chart' : 'table'))

  // A chart that is made of it is shown.
  useEffect(() => {
    if (charts.length > 0) setTab('chart')
  }, [charts.length])

  function runAgain() {
    setTab('sql')
    void own.run(query.sql)
  }

  const table = <QueryTable query={query} loaded={loaded} onRunAgain={runAgain} />
  return (
    <>
      <Tabs
        label={words.views(query.ref)}
        value={tab}
        onChange={setTab}
        tabs={[
          {
            ...{ value: 'chart', label: words.chart },
            content: <ChartTab key={charts.length} {...{ query, charts, loaded }} />,
          },
          { value: 'table', label: words.table, content: table },
          { value: 'sql', label: words.sql, content: <SqlTab query={query} own={own} /> },
          { value: 'about', label: words.about, content: <AboutTab query={query} /> },
        ]}
      />
      {!isKept && <SaveQuestion query={query} />}
    </>
  )
}

/** Where nobody has asked for a chart, long lists are read as such. */
const suggestedMax = 1_000

function isBestDrawn({ columns, rows, kept_rows }: QueryResult): boolean {
  return kept_rows <= suggestedMax && suggestChart(columns, rows) !== undefined
}
