import type { CallsTally, GrantInfo, ToolGroupInfo } from '@dataagent/schema'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../api/api-context.ts'
import { QueryView } from '../api/query-view.tsx'
import { useProblem } from '../api/use-problem.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Empty } from '../ui/notice.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { useToaster } from '../ui/toasts.tsx'
import { useFormats, useWords } from '../words/use-words.ts'
import { groupWords } from './group-words.ts'
import { useCallers, useGrants, useRefresh } from './use-groups.ts'

/** Who is connected, by a grant or by the key. */
export function ClientsTab({ group }: { group: ToolGroupInfo }) {
  const words = useWords(groupWords)
  return (
    <div className="flex flex-col gap-4">
      <Panel title={words.sessions} about={words.sessionsAbout}>
        <Grants group={group} />
      </Panel>
      <Panel title={words.callers} about={words.callersAbout}>
        <Callers group={group} />
      </Panel>
    </div>
  )
}

function Grants({ group }: { group: ToolGroupInfo }) {
  const words = useWords(groupWords)
  const formats = useFormats()
  const [revoking, setRevoking] = useState<GrantInfo>()
  const columns: Column<GrantInfo>[] = [
    {
      name: 'client',
      head: words.client,
      cell: ({ client_name }) => (
        <span className="font-medium [overflow-wrap:anywhere]">
          <PlainText text={client_name} />
        </span>
      ),
    },
    { name: 'by', head: words.by, cell: ({ user_id }) => user_id ?? words.byKey },
    {
      name: 'scope',
      head: words.scope,
      cell: ({ scope }) => (scope.includes('mcp:call') ? words.scopes.call : words.scopes.read),
    },
    { name: 'since', head: words.since, cell: ({ created_at }) => formats.time(created_at) },
    { name: 'used', head: words.used, cell: ({ last_used_at }) => formats.ago(last_used_at) },
    { name: 'ends', head: words.ends, cell: ({ expires_at }) => formats.day(expires_at) },
    {
      name: 'revoke',
      head: '',
      align: 'end',
      cell: (grant) => (
        <Button
          size="small"
          kind="danger"
          aria-label={words.revokeOne(grant.client_name)}
          onClick={() => setRevoking(grant)}
        >
          {words.revoke}
        </Button>
      ),
    },
  ]
  return (
    <QueryView query={useGrants(group.group_id)}>
      {({ grants, more }) =>
        grants.length === 0 ? (
          <Empty icon={<Users />} title={words.noSessions}>
            {words.noSessionsAbout}
          </Empty>
        ) : (
          <>
            <Table
              caption={words.sessions}
              columns={columns}
              rows={grants}
              keyOf={({ grant_id }) => grant_id}
            />
            {more && (
              <p className="text-[13px] text-soft">
                {words.moreSessions(formats.number(grants.length))}
              </p>
            )}
            {revoking && (
              <RevokeGrant group={group} grant={revoking} onClose={() => setRevoking(undefined)} />
            )}
          </>
        )
      }
    </QueryView>
  )
}

interface RevokeGrantProps {
  group: ToolGroupInfo
  grant: GrantInfo
  onClose(): void
}

function RevokeGrant({ group, grant, onClose }: RevokeGrantProps) {
  const words = useWords(groupWords)
  const client = useClient()
  const refresh = useRefresh()
  const toaster = useToaster()
  const toProblem = useProblem()

  async function revoke() {
    await client.toolGroups.revokeGrant(group.group_id, grant.grant_id)
    toaster.done(words.revoked(grant.client_name))
    await refresh()
  }

  return (
    <Confirm
      title={words.revokeTitle(grant.client_name)}
      action={words.revoke}
      onConfirm={revoke}
      {...{ onClose, toProblem }}
    >
      <p>{words.revokeAbout}</p>
    </Confirm>
  )
}

type Caller = CallsTally['rows'][number]

function Callers({ group }: { group: ToolGroupInfo }) {
  const words = useWords(groupWords)
  const formats = useFormats()
  const columns: Column<Caller>[] = [
    { name: 'caller', head: words.caller, cell: ({ key }) => key ?? words.withKey },
    { name: 'calls', head: words.count, align: 'end', cell: ({ calls }) => formats.number(calls) },
    {
      name: 'failed',
      head: words.failed,
      align: 'end',
      cell: ({ failed }) => formats.number(failed),
    },
    { name: 'last', head: words.last, cell: ({ last_at }) => formats.ago(last_at) },
  ]
  return (
    <QueryView query={useCallers(group.group_id)}>
      {(rows) =>
        rows.length === 0 ? (
          <p className="text-sm text-soft">{words.noCallers}</p>
        ) : (
          <Table
            caption={words.callers}
            columns={columns}
            rows={rows}
            keyOf={({ key }) => key ?? ''}
          />
        )
      }
    </QueryView>
  )
}
