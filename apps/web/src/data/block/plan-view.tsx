import type { DataPlan, QueryResult } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../api/api-context.ts'
import { CodeBlock } from '../../markdown/code-block.tsx'
import { toCell } from '../../results/to-csv.ts'
import { Button } from '../../ui/button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Table } from '../../ui/table.tsx'
import { useWords } from '../../words/use-words.ts'
import { ProblemNotice } from '../faults/fault-notice.tsx'
import { toPlanText } from './plan-text.ts'
import { queryWords } from './query-words.ts'

/** How the source would run the query, in its own terms. */
export function PlanView({ query: { query_id } }: { query: QueryResult }) {
  const words = useWords(queryWords)
  const client = useClient()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['data', 'plan', query_id],
    queryFn: ({ signal }) => client.data.plan(query_id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const again = (
    <Button size="small" busy={isFetching} onClick={() => void refetch()}>
      {words.again}
    </Button>
  )
  return (
    <section aria-label={words.plan} className="flex min-w-0 flex-col gap-2">
      <p className="text-[13px] text-soft">{words.planAbout}</p>
      {data ? (
        <Plan plan={data} />
      ) : error ? (
        <ProblemNotice error={error} action={again} />
      ) : (
        <p role="status" className="flex items-center gap-2 text-sm text-soft">
          <Spinner /> {words.loading}
        </p>
      )}
    </section>
  )
}

function Plan({ plan }: { plan: DataPlan }) {
  const words = useWords(queryWords)
  const text = toPlanText(plan)
  if (text !== undefined) return <CodeBlock text={text} language="EXPLAIN" />
  return (
    <Table
      caption={words.plan}
      columns={plan.columns.map(({ name }, i) => ({
        ...{ name, head: name },
        cell: ({ row }: Step) => (
          <span className="font-mono text-[13px] whitespace-nowrap">
            {row[i] === null ? '—' : <PlainText text={toCell(row[i])} />}
          </span>
        ),
      }))}
      rows={plan.rows.map((row, at) => ({ row, at }))}
      keyOf={({ at }) => `${at}`}
    />
  )
}

interface Step {
  row: DataPlan['rows'][number]
  at: number
}
