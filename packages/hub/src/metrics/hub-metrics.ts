import { type ToolCallStatus, toolCallStatusSchema } from '@dataagent/schema'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { HubMetrics, MetricSources } from './contract.ts'

export interface HubMetricsOptions {
  /** Where other metrics of the process are; else a registry of its own. */
  registry?: Registry
  /** Servers beyond this many are counted together, as `other`. */
  maxServers?: number
}

/** From a tool that only computes to one that waits for a person. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const noServer = 'none'
const otherServers = 'other'

type Ended = ReturnType<Counter['labels']>

/** The metrics of the governed tool layer. */
export function createHubMetrics(options: HubMetricsOptions = {}): HubMetrics {
  const { registry = new Registry(), maxServers = 500 } = options
  const registers = [registry]
  const sources: Partial<MetricSources> = {}
  const calls = new Counter({
    name: 'dataagent_tool_calls_total',
    help: 'Tool calls that ended, by server and status',
    labelNames: ['server_id', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'dataagent_tool_call_duration_seconds',
    help: 'How long tool calls took, by server',
    labelNames: ['server_id'],
    buckets,
    registers,
  })
  addGauges(registers, sources)
  const servers = new Map<string, ReturnType<typeof createServer>>()

  function createServer(server_id: string) {
    const ended = new Map<ToolCallStatus, Ended>()
    for (const status of toolCallStatusSchema.options) {
      ended.set(status, calls.labels({ server_id, status }))
    }
    return { ended, duration: seconds.labels({ server_id }) }
  }

  function serverOf(server_id: string) {
    let server = servers.get(server_id)
    if (server === undefined) {
      if (servers.size >= maxServers && server_id !== otherServers) return serverOf(otherServers)
      server = createServer(server_id)
      servers.set(server_id, server)
    }
    return server
  }

  return {
    callEnded(call) {
      const { ended, duration } = serverOf(call.server_id ?? noServer)
      ended.get(call.status)?.inc()
      duration.observe(call.seconds)
    },
    watch: (more) => {
      Object.assign(sources, more)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function addGauges(registers: Registry[], sources: Partial<MetricSources>): void {
  const add = (name: string, help: string, source: NumberSource) => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await ask(sources[source])
        if (value === undefined) this.reset()
        else this.set(value)
      },
    })
  }
  add('dataagent_audit_waiting', 'Records of the audit not stored yet', 'auditWaiting')
  add('dataagent_spans_dropped', 'Spans given up since the start', 'spansDropped')
  add('dataagent_approvals_pending', 'Approvals that wait for a person', 'approvalsPending')
  add(
    'dataagent_limiter_fallbacks',
    'Decisions of the limiter made without the KV since the start',
    'limiterFallbacks',
  )
  new Gauge({
    name: 'dataagent_upstreams',
    help: 'Upstreams by state',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset()
      const states = (await ask(sources.upstreams)) ?? {}
      for (const [state, count] of Object.entries(states)) this.set({ state }, count)
    },
  })
}

type NumberSource = Exclude<keyof MetricSources, 'upstreams'>

/** A source that fails must not take the others with it. */
async function ask<T>(source: (() => T | Promise<T>) | undefined): Promise<T | undefined> {
  try {
    return await source?.()
  } catch {
    return undefined
  }
}
