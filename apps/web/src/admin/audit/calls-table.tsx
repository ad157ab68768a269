import type { CallRecord } from '@dataagent/schema'
import { callTones } from '../../calls/call-status.ts'
import { Badge } from '../../ui/badge.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { auditWords } from './audit-words.ts'

interface CallsTableProps {
  calls: readonly CallRecord[]
  onOpen(call: CallRecord): void
}

export function CallsTable({ calls, onOpen }: CallsTableProps) {
  const words = useWords(auditWords)
  const common = useWords(adminWords)
  const formats = useFormats()
  const timeOf = ({ started_at }: CallRecord) =>
    `${formats.day(started_at)} ${formats.clock(started_at)}`
  const columns: Column<CallRecord>[] = [
    {
      ...{ name: 'time', head: words.time },
      cell: (call) => (
        <button
          type="button"
          aria-label={words.open(call.tool_name, timeOf(call))}
          onClick={() => onOpen(call)}
          className="whitespace-nowrap text-accent underline"
        >
          {timeOf(call)}
        </button>
      ),
    },
    {
      ...{ name: 'tool', head: common.tool, className: 'font-mono text-[13px]' },
      cell: ({ tool_name }) => <PlainText text={tool_name} />,
    },
    { name: 'server', head: common.server, cell: ({ server_id }) => server_id ?? '—' },
    { name: 'user', head: common.user, cell: ({ user_id }) => user_id ?? '—' },
    { name: 'agent', head: common.agent, cell: ({ agent_id }) => agent_id ?? '—' },
    {
      ...{ name: 'duration', head: words.duration, align: 'end' },
      cell: ({ duration_ms }) => (
        <span className="whitespace-nowrap">{formats.duration(duration_ms)}</span>
      ),
    },
    {
      ...{ name: 'status', head: words.status },
      cell: ({ status }) => <Badge tone={callTones[status]}>{words.statuses[status]}</Badge>,
    },
  ]
  return (
    <Table caption={words.calls} columns={columns} rows={calls} keyOf={({ call_id }) => call_id} />
  )
}
