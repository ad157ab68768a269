import type { ToolView } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useClient } from './api-context.ts'

const most = 200

/** All agents of the tenant, those that are switched off too. */
export function useAgents() {
  const client = useClient()
  return useQuery({
    queryKey: ['agents', 'all'],
    queryFn: ({ signal }) => client.agents.listAll({ signal }),
  })
}

/** The agents that the caller may use. */
export function useAgentChoices() {
  const client = useClient()
  return useQuery({
    queryKey: ['agents', 'choices'],
    queryFn: async ({ signal }) => (await client.agents.list({ signal })).agents,
  })
}

/** The first users of the tenant: enough to choose from, others are written. */
export function useUserChoices() {
  const client = useClient()
  return useQuery({
    queryKey: ['users', 'choices'],
    queryFn: ({ signal }) => client.users.list({ limit: most }, { signal }),
  })
}

/** The servers that are shared in the tenant, to choose from. */
export function useServerChoices() {
  const client = useClient()
  return useQuery({
    queryKey: ['servers', 'registered'],
    queryFn: ({ signal }) => client.servers.list({ signal }),
  })
}

/** Every tool that the caller may call. */
export function useTools() {
  const client = useClient()
  return useQuery({
    queryKey: ['tools', 'every'],
    async queryFn({ signal }) {
      const tools: ToolView[] = []
      for (;;) {
        const page = await client.tools.list({ limit: most, offset: tools.length }, { signal })
        tools.push(...page.tools)
        if (page.tools.length === 0 || tools.length >= page.total) return tools
      }
    },
  })
}

/** The settings of the server; with several tenants they are not for everyone. */
export function useSettings() {
  const client = useClient()
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => client.operations.settings({ signal }),
    staleTime: 60_000,
  })
}
