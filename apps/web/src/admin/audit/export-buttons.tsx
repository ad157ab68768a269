import type { QueryOf } from '@dataagent/client'
import type { CallsExportQuery } from '@dataagent/schema'
import { Download } from 'lucide-react'
import { useClient } from '../../api/api-context.ts'
import { useAct } from '../../api/use-act.ts'
import { Button } from '../../ui/button.tsx'
import { toDay } from '../../ui/day.ts'
import { saveFile } from '../../ui/save-file.ts'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { auditWords } from './audit-words.ts'

interface ExportButtonsProps {
  filters: QueryOf<Omit<CallsExportQuery, 'format'>>
}

const files = {
  csv: { ending: 'csv', type: 'text/csv' },
  ndjson: { ending: 'ndjson', type: 'application/x-ndjson' },
} as const

/** All calls that the filters let through, not only those of this page, as one file. */
export function ExportButtons({ filters }: ExportButtonsProps) {
  const words = useWords(auditWords)
  const common = useWords(adminWords)
  const client = useClient()
  const { act, busy } = useAct()

  async function save(format: keyof typeof files) {
    const answer = await client.audit.exportCalls({ ...filters, format })
    const { ending, type } = files[format]
    saveFile(`calls-${toDay(Date.now())}.${ending}`, await answer.blob(), type)
  }

  return (
    <div className="flex flex-wrap justify-end gap-2">
      {(['csv', 'ndjson'] as const).map((format) => (
        <Button
          key={format}
          size="small"
          busy={busy === format}
          icon={<Download aria-hidden="true" className="size-3.5" />}
          onClick={() => act({ name: format, work: () => save(format), done: words.exported })}
        >
          {format === 'csv' ? common.exportCsv : common.exportJson}
        </Button>
      ))}
    </div>
  )
}
