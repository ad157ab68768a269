import type { CallRecord } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useState } from 'react'
import { useClient, useIsAdmin, useMe } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { outcomeWords } from '../../calls/outcome-words.ts'
import { Badge } from '../../ui/badge.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { serversKey } from '../use-servers.ts'
import { CallDialog } from './call-dialog.tsx'
import { callsWords } from './calls-words.ts'

const route = getRouteApi('/tools/servers/$serverId')
const limit = 20

/** The caller's calls of a server's tools; for administrators and auditors everybody's too. */
export function Calls({ server_id }: { server_id: string }) {
  const words = useWords(callsWords)
  const client = useClient()
  const me = useMe()
  const mayAll = useIsAdmin() || me.role === 'auditor'
  const navigate = route.useNavigate()
  const { offset = 0, calls } = route.useSearch()
  const user_id = calls === 'all' && mayAll ? undefined : me.user_id
  const columns = useColumns(user_id === undefined)
  const [opened, setOpened] = useState<CallRecord>()
  const query = useQuery({
    queryKey: [serversKey, 'calls', server_id, user_id, offset],
    queryFn: ({ signal }) => client.audit.calls({ server_id, user_id, offset, limit }, { signal }),
    refetchInterval: 10_000,
    // Of this server alone: another one's would be taken for its own.
    placeholderData: (before, of) => (of?.queryKey[2] === server_id ? before : undefined),
  })
  const go = (next: { calls?: 'all' | undefined; offset?: number }) => {
    const all = 'calls' in next ? next.calls : calls
    void navigate({
      search: {
        tab: 'calls',
        ...(all && { calls: all }),
        ...(next.offset && { offset: next.offset }),
      },
    })
  }
  return (
    <div className="flex flex-col gap-4">
      {mayAll && (
        <SelectField
          label={words.whose}
          className="max-w-52"
          value={calls ?? 'mine'}
          onChange={(event) => go({ calls: event.target.value === 'all' ? 'all' : undefined })}
        >
          <option value="mine">{words.mine}</option>
          <option value="all">{words.everybody}</option>
        </SelectField>
      )}
      <QueryView query={query}>
        {({ calls: rows, more }) => (
          <>
            {rows.length === 0 ? (
              <Empty icon={<History />} title={words.empty}>
                {words.emptyAbout}
              </Empty>
            ) : (
              <Table
                caption={words.caption}
                columns={columns(setOpened)}
                rows={rows}
                keyOf={({ call_id }) => call_id}
              />
            )}
            <Pager
              {...{ offset, limit, count: rows.length, more }}
              onChange={(next) => go({ offset: next })}
            />
          </>
        )}
      </QueryView>
      {opened && <CallDialog call={opened} onClose={() => setOpened(undefined)} />}
    </div>
  )
}

function useColumns(withUser: boolean) {
  const words = useWords(callsWords)
  const outcomes = useWords(outcomeWords)
  const formats = useFormats()
  return (onOpen: (call: CallRecord) => void): Column<CallRecord>[] => [
    {
      name: 'time',
      head: words.time,
      cell: ({ started_at }) => formats.time(started_at),
      className: 'whitespace-nowrap',
    },
    {
      name: 'tool',
      head: words.tool,
      cell: (call) => (
        <button
          type="button"
          aria-label={words.open(call.tool_name)}
          className="text-left font-mono text-[13px] text-accent underline"
          onClick={() => onOpen(call)}
        >
          <PlainText text={call.tool_name} />
        </button>
      ),
    },
    ...(withUser
      ? [{ name: 'user', head: words.user, cell: (call: CallRecord) => call.user_id ?? '—' }]
      : []),
    {
      name: 'status',
      head: words.status,
      cell: ({ status }) => (
        <Badge tone={status === 'ok' ? 'good' : 'bad'}>{outcomes[status]}</Badge>
      ),
    },
    { name: 'source', head: words.source, cell: ({ source }) => words.sources[source] ?? source },
    {
      ...{ name: 'duration', head: words.duration, align: 'end' as const },
      cell: ({ duration_ms }) => formats.duration(duration_ms),
      className: 'whitespace-nowrap',
    },
  ]
}
