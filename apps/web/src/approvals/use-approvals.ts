import type { Approval } from '@dataagent/schema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useClient } from '../api/api-context.ts'
import type { View } from './approvals-search.ts'

const key = 'approvals'
const pendingMs = 3000
const historyMs = 10_000
const waitingMs = 5000

export const pageLimit = 50

interface ListOptions {
  view: View
  mine: boolean
  offset: number
}

/** The inbox: what waits as it comes, what was decided more slowly. */
export function useApprovals({ view, mine, offset }: ListOptions) {
  const client = useClient()
  const query = {
    ...{ limit: pageLimit, offset },
    ...(view !== 'all' && { status: view }),
    ...(mine && { mine: 'true' as const }),
  }
  return useQuery({
    queryKey: [key, 'list', query],
    queryFn: ({ signal }) => client.approvals.list(query, { signal }),
    refetchInterval: view === 'pending' ? pendingMs : historyMs,
    retry: false,
  })
}

/** One that the address names and the list does not hold. */
export function useApproval(approval_id: string | undefined) {
  const client = useClient()
  return useQuery({
    queryKey: [key, 'one', approval_id],
    queryFn: ({ signal }) => client.approvals.get(approval_id ?? '', { signal }),
    enabled: approval_id !== undefined,
    refetchInterval: pendingMs,
    retry: false,
  })
}

/** Up to a hundred that wait: the shell counts them. */
export function useWaitingApprovals({ inBackground }: { inBackground: boolean }) {
  const client = useClient()
  return useQuery({
    queryKey: [key, 'waiting'],
    queryFn: async ({ signal }): Promise<readonly Approval[]> =>
      (await client.approvals.list({ status: 'pending', limit: 100 }, { signal })).approvals,
    refetchInterval: waitingMs,
    refetchIntervalInBackground: inBackground,
    retry: false,
  })
}

/** Asks for everything again after a decision. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(() => queries.invalidateQueries({ queryKey: [key] }), [queries])
}
