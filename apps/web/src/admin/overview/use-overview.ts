import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useClient, useMe } from '../../api/api-context.ts'
import { isFault } from '../../calls/call-status.ts'
import { parseMetrics } from './parse-metrics.ts'
import { firstMinute, type Minute, perMinute } from './per-minute.ts'

const liveMs = 5000
const slowMs = 10_000
const minutes = 30

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

/** The turns of everyone that began in each of the last minutes, counted by the server. */
export function useRecentTurns() {
  const client = useClient()
  return useQuery({
    queryKey: ['usage', 'recent'],
    async queryFn({ signal }): Promise<Minute[]> {
      const now = Date.now()
      const asked = { from: firstMinute(now, minutes), by: 'minute' } as const
      const { rows } = await client.usage.report(asked, { signal })
      const counted = rows.map(({ key, runs, errors }) => ({
        ...{ at: Date.parse(key), count: runs, bad: errors },
      }))
      return perMinute(counted, now, minutes)
    },
    refetchInterval: slowMs,
  })
}

/** Tool calls of each of the last minutes, counted by the server; bad are those that went wrong. */
export function useRecentCalls() {
  const client = useClient()
  return useQuery({
    queryKey: ['audit', 'recent'],
    async queryFn({ signal }): Promise<Minute[]> {
      const now = Date.now()
      const asked = { from: firstMinute(now, minutes), by: 'minute' } as const
      const { rows } = await client.audit.tally(asked, { signal })
      const counted = rows.map(({ key, status = 'ok', calls }) => ({
        ...{ at: Date.parse(key ?? ''), count: calls, bad: isFault(status) ? calls : 0 },
      }))
      return perMinute(counted, now, minutes)
    },
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
