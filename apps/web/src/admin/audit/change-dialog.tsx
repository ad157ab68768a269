import type { Change } from '@dataagent/schema'
import { shellWords } from '../../shell/shell-words.ts'
import { Details, Mono } from '../../ui/details.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { auditWords } from './audit-words.ts'
import { kindText } from './changes-table.tsx'
import { changesWords } from './changes-words.ts'
import { type ChangedField, changedFields } from './to-readable.ts'

const most = 2000

/** What somebody has changed, field by field. */
export function ChangeDialog({ change, onClose }: { change: Change; onClose(): void }) {
  const words = useWords(changesWords)
  const { time, fields } = useWords(auditWords)
  const { roles } = useWords(shellWords)
  const formats = useFormats()
  const changed = changedFields(change.before, change.after)
  const value = (field: string, text: string | undefined) => {
    if (text === undefined) return '—'
    if (field.endsWith('_at') && /^\d{12,15}$/.test(text)) return formats.time(Number(text))
    return <PlainText text={text.slice(0, most)} />
  }
  const valueClass = 'font-mono text-[13px] min-w-32 max-w-80 [overflow-wrap:anywhere]'
  const columns: Column<ChangedField>[] = [
    { name: 'field', head: words.field, cell: ({ field }) => <Mono text={field} /> },
    {
      ...{ name: 'before', head: words.before, className: valueClass },
      cell: ({ field, before }) => value(field, before),
    },
    {
      ...{ name: 'after', head: words.after, className: valueClass },
      cell: ({ field, after }) => value(field, after),
    },
  ]
  return (
    <Dialog title={words.title} size="wide" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Details
          rows={[
            [words.kind, kindText(words.kinds, change.kind)],
            [words.target, <Mono key="target" text={change.target} />],
            [words.action, words.actions[change.action] ?? change.action],
            [time, formats.time(change.changed_at)],
            [words.by, change.user_id],
            [words.role, roles[change.role]],
            [fields.api_key, change.api_key],
            [fields.policy, change.revision],
          ]}
        />
        {changed.length === 0 ? (
          <p className="text-sm text-soft">{words.noFields}</p>
        ) : (
          <Table
            caption={words.title}
            columns={columns}
            rows={changed}
            keyOf={({ field }) => field}
          />
        )}
      </div>
    </Dialog>
  )
}
