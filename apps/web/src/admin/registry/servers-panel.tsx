import type { ServerInfo } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { useAct } from '../../api/use-act.ts'
import { useUserChoices } from '../../api/use-choices.ts'
import { FaultText } from '../../tools/fault-text.tsx'
import { StateDot, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { NameAndId } from '../../ui/details.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Empty } from '../../ui/notice.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import type { RegistrySearch } from '../searches.ts'
import { registryWords } from './registry-words.ts'

type State = ServerInfo['status'] | 'disabled'
const tones: Record<State, Tone> = {
  ...{ running: 'good', stopped: 'plain', error: 'bad', disabled: 'plain' },
}

/** Servers of one owner: shared ones, or those that a user has added. */
export function ServersPanel() {
  const words = useWords(registryWords)
  const client = useClient()
  const [{ owner }, change] = useAddress<RegistrySearch>()
  const users = useUserChoices()
  const query = useQuery({
    queryKey: ['servers', owner === undefined ? 'registered' : `of ${owner}`],
    queryFn: ({ signal }) =>
      owner === undefined
        ? client.servers.list({ signal })
        : client.userServers.list(owner, { signal }),
    refetchInterval: 5000,
  })
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label={words.owner}
        className="max-w-xs"
        value={owner ?? ''}
        onChange={(event) => change({ owner: event.target.value || undefined })}
      >
        <option value="">{words.shared}</option>
        {users.data?.users.map(({ user_id, name }) => (
          <option key={user_id} value={user_id}>
            {words.ofUser(name)}
          </option>
        ))}
      </SelectField>
      <QueryView query={query}>
        {({ servers }) =>
          servers.length === 0 ? (
            <Empty
              title={words.empty}
              action={
                <Link to="/tools" className="text-sm text-accent underline">
                  {words.addServer}
                </Link>
              }
            >
              {words.emptyAbout}
            </Empty>
          ) : (
            <ServersTable servers={servers} isShared={owner === undefined} />
          )
        }
      </QueryView>
    </div>
  )
}

interface ServersTableProps {
  servers: readonly ServerInfo[]
  isShared: boolean
}

/** What needs attention stands first. */
function ServersTable({ servers, isShared }: ServersTableProps) {
  const words = useWords(registryWords)
  const common = useWords(adminWords)
  const formats = useFormats()
  const client = useClient()
  const { act, busy } = useAct()
  const columns: Column<ServerInfo>[] = [
    {
      ...{ name: 'server', head: common.server },
      cell: ({ name, server_id }) => <NameAndId name={name} id={server_id} />,
    },
    {
      ...{ name: 'state', head: common.state },
      cell: (server) => <ServerState server={server} />,
    },
    {
      ...{ name: 'scope', head: words.scope },
      cell: ({ scope }) => words.scopes[scope],
    },
    { name: 'transport', head: words.transport, cell: ({ transport }) => transport },
    {
      ...{ name: 'tools', head: words.tools, align: 'end' },
      cell: ({ tool_count }) => formats.number(tool_count),
    },
    {
      ...{ name: 'updated', head: words.updated },
      cell: ({ updated_at }) => (
        <span className="whitespace-nowrap">{formats.ago(updated_at)}</span>
      ),
    },
  ]
  if (isShared) {
    columns.push({
      ...{ name: 'actions', head: common.actions },
      cell: ({ server_id, name, disabled }) => (
        <span className="flex items-center gap-3">
          <Button
            size="small"
            disabled={disabled}
            busy={busy === server_id}
            onClick={() =>
              act({
                ...{ name: server_id, done: words.reconnected(name), reload: ['servers'] },
                work: () => client.servers.reconnect(server_id),
              })
            }
          >
            {words.reconnect}
          </Button>
          <Link
            to="/tools/servers/$serverId"
            params={{ serverId: server_id }}
            className="whitespace-nowrap text-accent underline"
          >
            {words.open(name)}
          </Link>
        </span>
      ),
    })
  }
  const order: State[] = ['error', 'stopped', 'running', 'disabled']
  const rank = (server: ServerInfo) => order.indexOf(stateOf(server))
  return (
    <Table
      caption={words.list}
      columns={columns}
      rows={servers.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))}
      keyOf={({ server_id }) => server_id}
    />
  )
}

const stateOf = ({ disabled, status }: ServerInfo): State => (disabled ? 'disabled' : status)

function ServerState({ server }: { server: ServerInfo }) {
  const words = useWords(registryWords)
  const state = stateOf(server)
  return (
    <>
      <StateDot tone={tones[state]} text={words.status[state]} />
      {server.status_message !== undefined && (
        <div className="max-w-72 text-[13px] text-soft [overflow-wrap:anywhere]">
          <FaultText fault={server.status_fault} message={server.status_message} />
        </div>
      )}
    </>
  )
}
