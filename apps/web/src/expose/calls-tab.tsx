import type { CallRecord, ToolGroupInfo } from '@dataagent/schema'
import { getRouteApi } from '@tanstack/react-router'
import { ListTree } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { QueryView } from '../api/query-view.tsx'
import { callTones } from '../calls/call-status.ts'
import { outcomeWords } from '../calls/outcome-words.ts'
import { StateDot } from '../ui/badge.tsx'
import { Empty } from '../ui/notice.tsx'
import { Pager } from '../ui/pager.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { useFormats, useWords } from '../words/use-words.ts'
import { CallDetails } from './call-details.tsx'
import { groupWords } from './group-words.ts'
import { useCalls } from './use-groups.ts'

const route = getRouteApi('/tools/expose/$groupId')
const limit = 50

interface CallsTabProps {
  group: ToolGroupInfo
  /** What can be done where there are none. */
  action: ReactNode
}

/** What was called through the group, newest first. */
export function CallsTab({ group, action }: CallsTabProps) {
  const words = useWords(groupWords)
  const outcomes = useWords(outcomeWords)
  const formats = useFormats()
  const { offset = 0 } = route.useSearch()
  const navigate = route.useNavigate()
  const [opened, setOpened] = useState<CallRecord>()
  const calls = useCalls(group.group_id, { limit, offset })

  const columns: Column<CallRecord>[] = [
    { name: 'time', head: words.time, cell: ({ started_at }) => formats.time(started_at) },
    {
      name: 'tool',
      head: words.tool,
      cell: (call) => (
        <button
          type="button"
          aria-label={words.open(call.tool_name)}
          onClick={() => setOpened(call)}
          className="text-left font-mono text-[13px] text-accent [overflow-wrap:anywhere] hover:underline"
        >
          <PlainText text={call.tool_name} />
        </button>
      ),
    },
    { name: 'server', head: words.server, cell: ({ server_id }) => server_id ?? '—' },
    { name: 'caller', head: words.caller, cell: ({ user_id }) => user_id ?? words.withKey },
    {
      name: 'status',
      head: words.status,
      cell: ({ status }) => <StateDot tone={callTones[status]} text={outcomes[status]} />,
    },
    {
      name: 'took',
      head: words.took,
      align: 'end',
      cell: ({ duration_ms }) => formats.duration(duration_ms),
    },
  ]
  return (
    <QueryView query={calls}>
      {(page) =>
        page.calls.length === 0 && offset === 0 ? (
          <Empty icon={<ListTree />} title={words.noCalls} action={action}>
            {words.noCallsAbout}
          </Empty>
        ) : (
          <div className="flex flex-col gap-3">
            <Table
              caption={words.calls}
              columns={columns}
              rows={page.calls}
              keyOf={({ call_id }) => call_id}
            />
            <Pager
              {...{ offset, limit, count: page.calls.length, more: page.more }}
              onChange={(next) =>
                void navigate({ search: (old) => ({ ...old, offset: next }), replace: true })
              }
            />
            {opened && <CallDetails call={opened} onClose={() => setOpened(undefined)} />}
          </div>
        )
      }
    </QueryView>
  )
}
