import { Download } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useAct } from '../api/use-act.ts'
import { toCsv } from '../results/to-csv.ts'
import { Button } from '../ui/button.tsx'
import { toDay } from '../ui/day.ts'
import { saveFile } from '../ui/save-file.ts'
import { useToaster } from '../ui/toasts.tsx'
import { useFormats, useWords } from '../words/use-words.ts'
import { adminWords } from './admin-words.ts'
import { type LoadPage, loadAll } from './load-all.ts'

const max = 10_000

interface CsvButtonProps<Row> {
  /** What the file is called, before the day. */
  name: string
  columns: readonly (keyof Row & string)[]
  load: LoadPage<Row>
}

/** Saves the rows that the filters let through, not only those of this page. */
export function CsvButton<Row>({ name, columns, load }: CsvButtonProps<Row>) {
  const common = useWords(adminWords)
  const formats = useFormats()
  const toaster = useToaster()
  const { act, busy } = useAct()
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => () => leaving.current?.abort(), [])

  async function save() {
    leaving.current = new AbortController()
    const { signal } = leaving.current
    const all = await loadAll(load, { max, signal }).catch((error) => {
      if (!signal.aborted) throw error
    })
    if (!all || signal.aborted) return
    const rows = all.rows.map((row) => columns.map((column) => row[column]))
    saveFile(`${name}-${toDay(Date.now())}.csv`, toCsv({ columns, rows }), 'text/csv')
    if (all.isCut) toaster.done(common.csvCut(formats.number(max)))
  }

  return (
    <Button
      size="small"
      busy={busy === 'csv'}
      icon={<Download aria-hidden="true" className="size-3.5" />}
      onClick={() => act({ name: 'csv', work: save })}
    >
      {common.exportCsv}
    </Button>
  )
}
