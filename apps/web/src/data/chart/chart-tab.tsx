import { suggestChart } from '@dataagent/data/charts'
import type { ChartSpec, QueryResult } from '@dataagent/schema'
import { useEffect, useMemo, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { createLateView } from '../../ui/create-part.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import type { QueryRows } from '../block/use-rows.ts'
import { useTotal } from '../block/use-total.ts'
import { ChartControls } from './chart-controls.tsx'
import { chartWords } from './chart-words.ts'
import { firstChart } from './fit-chart.ts'

const ChartView = createLateView(() =>
  import('./chart-view.tsx').then(({ ChartView }) => ChartView),
)

/** So many rows a chart asks for; more points than these are not told apart. */
const drawnMax = 5_000

interface ChartTabProps {
  query: QueryResult
  charts: readonly ChartSpec[]
  loaded: QueryRows
}

/** The result as a chart: one that was made of it, one that suits it, or as somebody wants it. */
export function ChartTab({ query, charts, loaded }: ChartTabProps) {
  const words = useWords(chartWords)
  const formats = useFormats()
  const total = useTotal(query)
  const isLoading = useDrawnRows(loaded)
  const { columns } = query
  const { rows } = loaded
  const [chosen, setChosen] = useState<ChartSpec>()
  const suggested = useMemo(() => suggestChart(columns, rows), [columns, rows])
  const given = chosen ?? charts.at(-1) ?? suggested
  const spec = given ?? firstChart(columns)
  if (rows.length === 0) return <p className="text-sm text-soft">{words.noRows}</p>
  if (!spec) return <p className="text-sm text-soft">{words.noMeasure}</p>
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {charts.length > 1 && <Made charts={charts} spec={spec} onChoose={setChosen} />}
      <ChartControls spec={spec} columns={columns} onChange={setChosen} />
      {isLoading ? (
        <p role="status" className="flex h-80 items-center justify-center gap-2 text-sm text-soft">
          <Spinner /> {words.loading}
        </p>
      ) : given ? (
        <ChartView spec={given} columns={columns} rows={rows} name={query.ref} />
      ) : (
        <p className="text-sm text-soft">{words.noFit}</p>
      )}
      {rows.length !== query.row_count && !isLoading && (
        <p className="text-[13px] text-soft">{words.partial(formats.number(rows.length), total)}</p>
      )}
    </div>
  )
}

/** Asks for the rows of the chart; whether they are still on their way. */
function useDrawnRows({ rows, hasMore, problem, loadMore }: QueryRows): boolean {
  const isWanted = hasMore && rows.length < drawnMax && problem === undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    if (isWanted) loadMore()
  }, [isWanted, rows])
  return isWanted
}

interface MadeProps {
  charts: readonly ChartSpec[]
  spec: ChartSpec
  onChoose(spec: ChartSpec): void
}

/** The charts that were made of one result. */
function Made({ charts, spec, onChoose }: MadeProps) {
  const words = useWords(chartWords)
  return (
    <fieldset aria-label={words.which} className="flex min-w-0 flex-wrap gap-1">
      {charts.map((chart, i) => (
        <Button
          // biome-ignore lint/suspicious/noArrayIndexKey: a chart is known by its place
          key={i}
          size="small"
          kind={chart === spec ? 'plain' : 'quiet'}
          aria-pressed={chart === spec}
          onClick={() => onChoose(chart)}
        >
          {chart.title ?? words.nth(i + 1)}
        </Button>
      ))}
    </fieldset>
  )
}
