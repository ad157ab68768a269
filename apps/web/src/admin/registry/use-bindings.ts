import { type Client, isClientError } from '@dataagent/client'
import type { AllowList } from '@dataagent/schema'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useClient } from '../../api/api-context.ts'

export const bindingKey = (assistant_id: string) => ['bindings', 'agent', assistant_id]

const optionsOf = (client: Client, assistant_id: string) => ({
  queryKey: bindingKey(assistant_id),
  queryFn: ({ signal }: { signal: AbortSignal }) => readBinding(client, assistant_id, signal),
})

/** The list that an agent is bound to; null where it has none, and so may call every tool. */
export function useBinding(assistant_id: string) {
  return useQuery(optionsOf(useClient(), assistant_id))
}

/** The same of several. */
export function useBindings(assistant_ids: readonly string[]) {
  const client = useClient()
  return useQueries({ queries: assistant_ids.map((id) => optionsOf(client, id)) })
}

export async function readBinding(
  client: Client,
  subject_id: string,
  signal?: AbortSignal,
): Promise<AllowList | null> {
  try {
    return await client.policy.binding({ kind: 'agent', subject_id }, { signal })
  } catch (error) {
    if (isClientError(error, 'not_found')) return null
    throw error
  }
}
