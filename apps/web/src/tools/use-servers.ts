import type { ServerInfo } from '@dataagent/schema'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useClient, useIsAdmin, useMe } from '../api/api-context.ts'
import { toAbsence } from './absence.ts'
import { byAttention, type StateFacts, toState } from './server-state.ts'

/** All that these pages ask for begins with this, so that one change refreshes all of it. */
export const serversKey = 'servers'

const everyMs = 5000
const soonMs = 1000

const isConnecting = (servers: readonly ServerInfo[] = []) =>
  servers.some((info) => toState(info).kind === 'connecting')

export function useOwnServers() {
  const client = useClient()
  const { user_id } = useMe()
  return useQuery({
    queryKey: [serversKey, 'own'],
    queryFn: async ({ signal }) => (await client.userServers.list(user_id, { signal })).servers,
    refetchInterval: ({ state: { data, error } }) =>
      toAbsence(error) === undefined && (isConnecting(data) ? soonMs : everyMs),
  })
}

export function useSharedServers() {
  const client = useClient()
  return useQuery({
    queryKey: [serversKey, 'shared'],
    queryFn: async ({ signal }) => (await client.servers.list({ signal })).servers,
    refetchInterval: ({ state }) => (isConnecting(state.data) ? soonMs : everyMs),
  })
}

/** Commands that users may start. */
export function useTemplates() {
  const client = useClient()
  return useQuery({
    queryKey: [serversKey, 'templates'],
    queryFn: async ({ signal }) => (await client.servers.templates({ signal })).templates,
    staleTime: 60_000,
  })
}

/** Definitions that wait for the caller. */
export function usePendingTools() {
  const client = useClient()
  const { role } = useMe()
  return useQuery({
    queryKey: [serversKey, 'pending'],
    queryFn: async ({ signal }) => (await client.tools.pending({ signal })).tools,
    refetchInterval: everyMs,
    enabled: role !== 'auditor',
  })
}

/** How the connections to one server fare that the caller may know of. */
export function useHealth(server_id: string, enabled = true) {
  return useQuery({ ...useHealthQuery()(server_id), enabled })
}

export function useCredentials(info: ServerInfo) {
  return useQuery({ ...useCredentialsQuery()(info.server_id), enabled: takesOwn(info) })
}

function useHealthQuery() {
  const client = useClient()
  return (server_id: string) => ({
    queryKey: [serversKey, 'health', server_id],
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      (await client.servers.status(server_id, { signal })).statuses,
    refetchInterval: everyMs,
  })
}

function useCredentialsQuery() {
  const client = useClient()
  return (server_id: string) => ({
    queryKey: [serversKey, 'credentials', server_id],
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      (await client.servers.credentials(server_id, { signal })).status,
  })
}

/** Whether each user gives a shared server credentials of their own. */
export function takesOwn(info: ServerInfo): boolean {
  return info.user_id === null && info.credentials === 'user'
}

/** The servers with how they fare, those first that need somebody. */
export function useStates(servers: readonly ServerInfo[]) {
  const { user_id, role } = useMe()
  const healthQuery = useHealthQuery()
  const credentialsQuery = useCredentialsQuery()
  const { data: pending = [] } = usePendingTools()
  const healths = useQueries({
    queries: servers.map((info) => ({
      ...healthQuery(info.server_id),
      enabled: info.status === 'error' && !info.disabled,
    })),
  })
  const credentials = useQueries({
    queries: servers.map((info) => ({
      ...credentialsQuery(info.server_id),
      enabled: takesOwn(info) && info.status !== 'running' && role !== 'auditor',
    })),
  })
  const rows = servers.map((info, i) => {
    const key = info.user_id === null && info.credentials === 'shared' ? null : user_id
    const facts: StateFacts = {
      health: healths[i]?.data?.find((one) => one.user_id === key),
      credentials: credentials[i]?.data,
      pending: pending.filter(({ tool }) => tool.server_id === info.server_id).length,
    }
    return { info, state: toState(info, facts), health: facts.health }
  })
  return rows.sort(byAttention)
}

/** What the caller may do with a server. */
export function useRights(info: ServerInfo) {
  const { user_id, role } = useMe()
  const isAdmin = useIsAdmin()
  const mayManage = info.user_id === null ? isAdmin : info.user_id === user_id
  return { mayManage, mayRenew: mayManage || (takesOwn(info) && role !== 'auditor') }
}

/** Asks for everything again after a change. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(() => queries.invalidateQueries({ queryKey: [serversKey] }), [queries])
}
