import type { QueryResult } from '@dataagent/schema'
import { Download } from 'lucide-react'
import { useClient } from '../../api/api-context.ts'
import { useAct } from '../../api/use-act.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useFormats, useWords } from '../../words/use-words.ts'
import { queryWords } from './query-words.ts'

const types = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

interface SaveButtonsProps {
  query: QueryResult
}

/** All rows that are kept, as a file; where the result has more, it says so. */
export function SaveButtons({ query: { query_id, ref, row_count, kept_rows } }: SaveButtonsProps) {
  const words = useWords(queryWords)
  const formats = useFormats()
  const client = useClient()
  const { act, busy } = useAct()
  const first = row_count === kept_rows ? undefined : formats.number(kept_rows)

  async function save(format: keyof typeof types) {
    const response = await client.data.export(query_id, { format })
    saveFile(`${ref}.${format}`, await response.blob(), types[format])
  }

  return (
    <>
      {(['csv', 'xlsx'] as const).map((format) => (
        <Button
          key={format}
          kind="quiet"
          size="small"
          title={first ? words.saveFirst(first, words[format]) : words.save(words[format])}
          busy={busy === format}
          icon={<Download aria-hidden="true" className="size-3.5" />}
          onClick={() => act({ name: format, work: () => save(format) })}
        >
          {words[format]}
        </Button>
      ))}
      {first && <span>{words.firstRows(first)}</span>}
    </>
  )
}
