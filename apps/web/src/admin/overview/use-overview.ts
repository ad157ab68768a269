import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useClient, useIsAdmin, useMe } from '../../api/api-context.ts'
import { parseMetrics } from './parse-metrics.ts'

const liveMs = 5000
const slowMs = 10_000
const windowMs = 30 * 60_000
const most = 200

/** What is counted of the process that answers; with several tenants not for everyone. */
export function useMetrics() {
  const client = useClient()
  return useQuery({
    queryKey: ['metrics'],
    queryFn: async ({ signal }) => parseMetrics(await client.operations.metrics({ signal })),
    refetchInterval: ({ state }) => (state.error ? false : liveMs),
    retry: false,
  })
}

/** What the tenant uses of what it may use. */
export function useTenantUsage() {
  const client = useClient()
  const { tenant_id } = useMe()
  return useQuery({
    queryKey: ['tenants', tenant_id, 'usage'],
    queryFn: ({ signal }) => client.tenants.usage(tenant_id, { signal }),
    refetchInterval: liveMs,
  })
}

/** The turns of everyone, newest first: as many as one page holds. Auditors may not read them. */
export function useRecentRuns() {
  const client = useClient()
  return useQuery({
    queryKey: ['runs', 'recent'],
    queryFn: ({ signal }) => client.runs.list({ all: 'true', limit: most }, { signal }),
    refetchInterval: slowMs,
    enabled: useIsAdmin(),
  })
}

/** Tool calls of the last half hour, newest first. */
export function useRecentCalls() {
  const client = useClient()
  return useQuery({
    queryKey: ['audit', 'recent'],
    queryFn: ({ signal }) =>
      client.audit.calls({ from: Date.now() - windowMs, limit: most }, { signal }),
    refetchInterval: liveMs,
  })
}

/** Turns, tokens and cost since midnight. */
export function useToday() {
  const client = useClient()
  return useQuery({
    queryKey: ['usage', 'today'],
    queryFn: ({ signal }) =>
      client.usage.report({ from: new Date().setHours(0, 0, 0, 0), by: 'model' }, { signal }),
    refetchInterval: slowMs,
  })
}

/** The values of a number since the page is open, one for each time that it was read. */
export function useHistory(value: number | undefined, readAt: number, most: number): number[] {
  const [history, setHistory] = useState<{ at: number; values: number[] }>({ at: 0, values: [] })
  useEffect(() => {
    if (value === undefined || readAt === 0) return
    setHistory((old) =>
      old.at === readAt ? old : { at: readAt, values: [...old.values, value].slice(-most) },
    )
  }, [value, readAt, most])
  return history.values
}
