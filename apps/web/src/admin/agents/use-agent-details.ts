import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../api/api-context.ts'

/** The agent that every tenant has: it can be set back, not removed. */
export const builtInId = 'default'

/** How an agent is set up; nothing is asked for one that is not there yet. */
export function useAgentDetails(assistant_id: string | undefined) {
  const client = useClient()
  return useQuery({
    queryKey: ['agents', 'one', assistant_id],
    queryFn: ({ signal }) => client.agents.get(assistant_id ?? '', { signal }),
    enabled: assistant_id !== undefined,
  })
}
