import type { ToolView } from '@dataagent/schema'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useClient } from '../api/api-context.ts'

/** All that these pages ask for begins with this, so that one change refreshes all of it. */
const groupsKey = 'tool-groups'

const everyMs = 10_000
const dayMs = 24 * 3_600_000
const grantsMax = 200
const toolsMax = 200

export function useGroups() {
  const client = useClient()
  return useQuery({
    queryKey: [groupsKey, 'list'],
    queryFn: async ({ signal }) => (await client.toolGroups.list({ signal })).groups,
    refetchInterval: everyMs,
  })
}

export function useGroup(group_id: string) {
  const client = useClient()
  return useQuery({
    queryKey: [groupsKey, 'one', group_id],
    queryFn: ({ signal }) => client.toolGroups.get(group_id, { signal }),
    refetchInterval: everyMs,
  })
}

/** The clients that were let in on the consent page. */
export function useGrants(group_id: string) {
  return useQuery(useGrantsQuery()(group_id))
}

/** How many clients each group has let in; `more` where they were not counted to the end. */
export function useGrantCounts(group_ids: readonly string[]) {
  const grantsQuery = useGrantsQuery()
  return useQueries({
    queries: group_ids.map(grantsQuery),
    combine: (results) =>
      new Map(
        results.map(({ data }, i) => [
          group_ids[i] ?? '',
          data && { count: data.grants.length, more: data.more },
        ]),
      ),
  })
}

function useGrantsQuery() {
  const client = useClient()
  return (group_id: string) => ({
    queryKey: [groupsKey, 'grants', group_id],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      client.toolGroups.grants(group_id, { limit: grantsMax }, { signal }),
    refetchInterval: everyMs,
  })
}

/** The calls of the last 24 hours, by group. */
export function useCallsByGroup() {
  return useTally({ by: 'group_id' })
}

/** The same of one group, by person. */
export function useCallers(group_id: string) {
  return useTally({ by: 'user_id', group_id })
}

function useTally(query: { by: 'group_id' | 'user_id'; group_id?: string }) {
  const client = useClient()
  return useQuery({
    queryKey: [groupsKey, 'tally', query],
    queryFn: async ({ signal }) =>
      (await client.audit.tally({ ...query, from: Date.now() - dayMs }, { signal })).rows,
    refetchInterval: everyMs,
  })
}

export function useCalls(group_id: string, page: { limit: number; offset: number }) {
  const client = useClient()
  return useQuery({
    queryKey: [groupsKey, 'calls', group_id, page],
    queryFn: ({ signal }) => client.audit.calls({ group_id, ...page }, { signal }),
    refetchInterval: everyMs,
    placeholderData: (before) => before,
  })
}

/** What can be offered: tools of this platform and of the servers that are shared. */
export function useOfferedTools() {
  const client = useClient()
  return useQuery({
    queryKey: [groupsKey, 'offered'],
    async queryFn({ signal }) {
      const { servers } = await client.servers.list({ signal })
      const shared = new Set([...servers.map(({ server_id }) => server_id), ownServer])
      const tools: ToolView[] = []
      for (let total = 1; tools.length < total; ) {
        const query = { limit: toolsMax, offset: tools.length }
        const page = await client.tools.list(query, { signal })
        if (page.tools.length === 0) break
        tools.push(...page.tools)
        total = page.total
      }
      return tools.filter(({ server_id }) => shared.has(server_id))
    },
    staleTime: 10_000,
  })
}

/** Under this server stand the tools of the platform itself. */
export const ownServer = 'dataagent'

/** Asks for everything again after a change. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(() => queries.invalidateQueries({ queryKey: [groupsKey] }), [queries])
}
