import { Download } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { saveFile } from '../ui/save-file.ts'
import { useFormats, useWords } from '../words/use-words.ts'
import { arrange, nextSorting, type Sorting } from './arrange.ts'
import { FilterField } from './filter-field.tsx'
import { resultWords } from './result-words.ts'
import { RowTable } from './row-table.tsx'
import { toCsv, toTabs } from './to-csv.ts'
import type { ResultTable } from './to-table.ts'

/** Rows of a result: sorted, filtered, copied and saved here, without asking the server. */
export function DataTable({ table, name }: { table: ResultTable; name: string }) {
  const words = useWords(resultWords)
  const formats = useFormats()
  const [sorting, setSorting] = useState<Sorting>()
  const [filter, setFilter] = useState('')
  const wanted = useDeferredValue(filter)
  const rows = useMemo(() => arrange(table.rows, wanted, sorting), [table, wanted, sorting])
  const columns = useMemo(
    () => table.columns.map((name, i) => ({ name, isNumeric: isNumeric(table.rows, i) })),
    [table],
  )
  const chosen = { columns: table.columns, rows }

  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2 text-[13px] text-soft">
        <span>
          {words.shown(
            formats.number(rows.length),
            formats.number(table.total ?? table.rows.length),
          )}
        </span>
        {table.rows.length > 5 && <FilterField value={filter} onChange={setFilter} />}
        <span className="flex-1" />
        <CopyButton text={async () => toTabs(chosen)} label={words.copyTable} />
        <Button
          kind="quiet"
          size="small"
          icon={<Download aria-hidden="true" className="size-3.5" />}
          onClick={() => saveFile(`${name}.csv`, toCsv(chosen), 'text/csv')}
        >
          {words.csv}
        </Button>
      </div>
      <RowTable
        {...{ columns, rows, sorting, nothing: '—' }}
        onSort={(column) => setSorting((now) => nextSorting(now, column))}
      />
    </div>
  )
}

function isNumeric(rows: ResultTable['rows'], column: number): boolean {
  const cells = rows.slice(0, 50).map((row) => row[column])
  const known = cells.filter((cell) => cell !== null && cell !== undefined)
  return known.length > 0 && known.every((cell) => typeof cell === 'number')
}
