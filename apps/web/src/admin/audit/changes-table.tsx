import type { Change } from '@dataagent/schema'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { auditWords } from './audit-words.ts'
import { changesWords } from './changes-words.ts'

interface ChangesTableProps {
  changes: readonly Change[]
  onOpen(change: Change): void
}

export function ChangesTable({ changes, onOpen }: ChangesTableProps) {
  const words = useWords(changesWords)
  const { time } = useWords(auditWords)
  const formats = useFormats()
  const timeOf = ({ changed_at }: Change) =>
    `${formats.day(changed_at)} ${formats.clock(changed_at)}`
  const columns: Column<Change>[] = [
    {
      ...{ name: 'time', head: time },
      cell: (change) => (
        <button
          type="button"
          aria-label={words.open(change.target, timeOf(change))}
          onClick={() => onOpen(change)}
          className="whitespace-nowrap text-accent underline"
        >
          {timeOf(change)}
        </button>
      ),
    },
    { name: 'by', head: words.by, cell: ({ user_id }) => user_id ?? '—' },
    {
      ...{ name: 'action', head: words.action },
      cell: ({ action }) => words.actions[action] ?? action,
    },
    { name: 'kind', head: words.kind, cell: ({ kind }) => kindText(words.kinds, kind) },
    {
      ...{ name: 'target', head: words.target, className: 'font-mono text-[13px]' },
      cell: ({ target }) => <PlainText text={target} />,
    },
  ]
  return (
    <Table
      caption={words.changes}
      columns={columns}
      rows={changes}
      keyOf={({ change_id }) => change_id}
    />
  )
}

/** A newer server may know of more kinds. */
export function kindText(kinds: Record<string, string>, kind: string): string {
  return kinds[kind] ?? kind
}
