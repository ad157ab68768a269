import { isNumeric } from '@dataagent/data/charts'
import type { QueryResult } from '@dataagent/schema'
import { useDeferredValue, useMemo, useState } from 'react'
import { useProblem } from '../../api/use-problem.ts'
import { arrange, nextSorting, type Sorting } from '../../results/arrange.ts'
import { FilterField } from '../../results/filter-field.tsx'
import { RowTable } from '../../results/row-table.tsx'
import { toTabs } from '../../results/to-csv.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { compareValues } from './compare-values.ts'
import { queryWords } from './query-words.ts'
import { SaveButtons } from './save-buttons.tsx'
import type { QueryRows } from './use-rows.ts'
import { useTotal } from './use-total.ts'

interface QueryTableProps {
  query: QueryResult
  loaded: QueryRows
  /** The way to have the rows again that are not kept any more. */
  onRunAgain(): void
}

/** The rows of a query: those that are loaded are sorted and filtered, others come on the way. */
export function QueryTable({ query, loaded, onRunAgain }: QueryTableProps) {
  const words = useWords(queryWords)
  const formats = useFormats()
  const [sorting, setSorting] = useState<Sorting>()
  const [filter, setFilter] = useState('')
  const wanted = useDeferredValue(filter)
  const { columns } = query
  const rows = useMemo(
    () =>
      arrange(loaded.rows, wanted, sorting, (a, b, at) =>
        compareValues(columns[at]?.kind ?? 'text', a, b),
      ),
    [loaded.rows, wanted, sorting, columns],
  )
  const heads = useMemo(
    () =>
      columns.map(({ name, type, kind }) => ({ name, about: type, isNumeric: isNumeric(kind) })),
    [columns],
  )
  const total = useTotal(query)
  if (columns.length === 0) return <p className="text-sm text-soft">{words.noColumns}</p>
  if (loaded.rows.length === 0) return <p className="text-sm text-soft">{words.empty}</p>
  const isPartial = loaded.rows.length < query.kept_rows
  const isArranged = sorting !== undefined || wanted.trim() !== ''
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2 text-[13px] text-soft">
        <span aria-live="polite">{words.rows(formats.number(rows.length), total)}</span>
        {loaded.rows.length > 5 && <FilterField value={filter} onChange={setFilter} />}
        <span className="flex-1" />
        <CopyButton
          text={async () => toTabs({ columns: columns.map(({ name }) => name), rows })}
          label={words.copyRows}
        />
        <SaveButtons query={query} />
      </div>
      <RowTable
        label={words.tableLabel(query.ref)}
        {...{ columns: heads, rows, sorting, nothing: <i>NULL</i> }}
        onSort={(column) => setSorting((now) => nextSorting(now, column))}
        onNearEnd={loaded.problem ? undefined : loaded.loadMore}
      />
      {isPartial && isArranged && <p className="text-[13px] text-soft">{words.loadedOnly}</p>}
      <Further loaded={loaded} onRunAgain={onRunAgain} />
    </div>
  )
}

/** More rows at a click, or why there are none to be had. */
function Further({ loaded, onRunAgain }: Pick<QueryTableProps, 'loaded' | 'onRunAgain'>) {
  const words = useWords(queryWords)
  const toProblem = useProblem()
  const { problem, hasMore, isLoading, loadMore } = loaded
  if (problem?.isGone) {
    return (
      <Notice
        tone="wait"
        action={
          <Button size="small" onClick={onRunAgain}>
            {words.runAgain}
          </Button>
        }
      >
        {words.gone}
      </Notice>
    )
  }
  if (problem) {
    return (
      <Notice
        tone="bad"
        title={words.loadFailed}
        action={
          <Button size="small" busy={isLoading} onClick={loadMore}>
            {words.again}
          </Button>
        }
      >
        {toProblem(problem.error)}
      </Notice>
    )
  }
  if (!hasMore) return null
  return (
    <Button size="small" className="self-start" busy={isLoading} onClick={loadMore}>
      {words.loadMore}
    </Button>
  )
}
