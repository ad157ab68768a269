import type { Client } from '@dataagent/client'
import type { ServerInfo } from '@dataagent/schema'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useClient, useMe } from '../../api/api-context.ts'
import { byAttention, type ServerState, toState } from '../../tools/server-state.ts'
import { serversKey, takesOwn } from '../../tools/use-servers.ts'

/** A server that a chat can have tools of. */
export interface ChatServer {
  info: ServerInfo
  state: ServerState
  /** Tools of it that the agent may use now. */
  tools: number
}

const everyMs = 30_000
const pageSize = 200
const pagesMax = 5

/**
 * The servers that the agent may use tools of, and those that could have some once they are
 * connected. Undefined until it is known.
 */
export function useChatServers(assistant_id: string | undefined): ChatServer[] | undefined {
  const client = useClient()
  const { user_id } = useMe()
  const counts = useQuery({
    queryKey: [serversKey, 'chat', 'tools', assistant_id],
    queryFn: ({ signal }) => countTools(client, assistant_id, signal),
    refetchInterval: everyMs,
  })
  const servers = useQuery({
    queryKey: [serversKey, 'chat', 'servers'],
    queryFn: ({ signal }) => findServers(client, user_id, signal),
    refetchInterval: everyMs,
  })
  const states = useStates(servers.data ?? [])
  if (!counts.data || !servers.data) return undefined
  const { data } = counts
  return servers.data
    .map((info, i) => ({
      ...{ info, tools: data.get(info.server_id) ?? 0 },
      state: states[i] ?? toState(info),
    }))
    .filter(({ tools, state }) => tools > 0 || mayCome.has(state.kind))
    .sort(byAttention)
}

/** One that is connected and has nothing for the agent has been kept from it. */
const mayCome: ReadonlySet<ServerState['kind']> = new Set([
  ...(['sign_in', 'credentials', 'error', 'retrying', 'connecting', 'idle'] as const),
])

async function countTools(client: Client, assistant_id: string | undefined, signal: AbortSignal) {
  const counts = new Map<string, number>()
  for (let page = 0; page < pagesMax; page += 1) {
    const offset = page * pageSize
    const query = { limit: pageSize, offset, ...(assistant_id && { assistant_id }) }
    const { tools, total } = await client.tools.list(query, { signal })
    for (const { server_id } of tools) counts.set(server_id, (counts.get(server_id) ?? 0) + 1)
    if (offset + tools.length >= total) break
  }
  return counts
}

/** Those that are shared and one's own; of one who may have none, only the former. */
async function findServers(client: Client, user_id: string, signal: AbortSignal) {
  const [shared, own] = await Promise.all([
    client.servers.list({ signal }),
    client.userServers.list(user_id, { signal }).catch(() => ({ servers: [] })),
  ])
  return [...shared.servers, ...own.servers].filter(({ disabled }) => !disabled)
}

/** How they fare; more is asked of those alone that are not connected. */
function useStates(servers: readonly ServerInfo[]): ServerState[] {
  const client = useClient()
  const { user_id } = useMe()
  const healths = useQueries({
    queries: servers.map(({ server_id, status }) => ({
      queryKey: [serversKey, 'health', server_id],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await client.servers.status(server_id, { signal })).statuses,
      enabled: status === 'error',
    })),
  })
  const credentials = useQueries({
    queries: servers.map((info) => ({
      queryKey: [serversKey, 'credentials', info.server_id],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await client.servers.credentials(info.server_id, { signal })).status,
      enabled: takesOwn(info) && info.status !== 'running',
    })),
  })
  return servers.map((info, i) => {
    const key = info.user_id === null && info.credentials === 'shared' ? null : user_id
    const health = healths[i]?.data?.find((one) => one.user_id === key)
    return toState(info, { health, credentials: credentials[i]?.data })
  })
}
