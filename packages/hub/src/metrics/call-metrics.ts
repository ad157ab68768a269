import type { ToolCallStatus } from '@dataagent/schema'
import type { Metric, Registry } from 'prom-client'
import { createServerTallies, type Tally } from './server-tallies.ts'

export interface CallMetricsOptions {
  registry: Registry
  maxServers: number
}

/** Calls that ended, and how long they took, by server. */
export interface CallMetrics {
  add(call: { server_id: string | null; status: ToolCallStatus; seconds: number }): void
}

/** From a tool that only computes to one that waits for a person. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const calls = 'dataagent_tool_calls_total'
const duration = 'dataagent_tool_call_duration_seconds'
const noServer = 'none'

interface Sample {
  metricName?: string
  labels: Record<string, string | number>
  value: number
}

export function createCallMetrics({ registry, maxServers }: CallMetricsOptions): CallMetrics {
  const tallies = createServerTallies({ bounds, maxServers, others: 'other' })
  const valuesBy = (toSamples: (tally: Tally) => Sample[]) => () =>
    [...tallies.all()].flatMap(toSamples)
  register(registry, {
    name: calls,
    help: 'Tool calls that ended, by server and status',
    type: 'counter',
    values: valuesBy(toCounts),
  })
  register(registry, {
    name: duration,
    help: 'How long tool calls took, by server',
    type: 'histogram',
    values: valuesBy(toDurations),
  })
  return {
    add({ server_id, status, seconds }) {
      tallies.add(server_id ?? noServer, status, seconds)
    },
  }
}

interface Shown {
  name: string
  help: string
  type: 'counter' | 'histogram'
  values(): Sample[]
}

/** The registry asks a metric for no more than this; its own counters hash labels at every call. */
function register(registry: Registry, { values, ...shown }: Shown): void {
  const get = async () => ({ ...shown, aggregator: 'sum', values: values() })
  registry.registerMetric({ ...shown, get, reset() {} } as unknown as Metric)
}

function toCounts({ server_id, ended }: Tally): Sample[] {
  return [...ended].map(([status, value]) => ({ labels: { server_id, status }, value }))
}

function toDurations({ server_id, buckets, seconds, count }: Tally): Sample[] {
  let upTo = 0
  const samples = [...bounds, '+Inf'].map((le, at): Sample => {
    upTo += buckets[at]!
    return { metricName: `${duration}_bucket`, labels: { le, server_id }, value: upTo }
  })
  samples.push({ metricName: `${duration}_sum`, labels: { server_id }, value: seconds })
  samples.push({ metricName: `${duration}_count`, labels: { server_id }, value: count })
  return samples
}
