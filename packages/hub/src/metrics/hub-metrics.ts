import { Gauge, Histogram, Registry } from 'prom-client'
import { createCallMetrics } from './call-metrics.ts'
import type { HubMetrics, MetricSources } from './contract.ts'

export interface HubMetricsOptions {
  /** Where other metrics of the process are; else a registry of its own. */
  registry?: Registry
  /** Servers beyond this many are counted together, as `other`. */
  maxServers?: number
}

/** The metrics of the governed tool layer. */
export function createHubMetrics(options: HubMetricsOptions = {}): HubMetrics {
  const { registry = new Registry(), maxServers = 500 } = options
  const registers = [registry]
  const sources: Partial<MetricSources> = {}
  const calls = createCallMetrics({ registry, maxServers })
  const approvals = createApprovalTimes(registers)
  addGauges(registers, sources)

  return {
    callEnded: calls.add,
    approvalDecided: ({ outcome, seconds }) => approvals.observe({ outcome }, seconds),
    watch: (more) => {
      Object.assign(sources, more)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** People take from seconds to days. */
const waits = [1, 5, 15, 30, 60, 120, 300, 900, 3_600, 14_400, 86_400]

function createApprovalTimes(registers: Registry[]) {
  return new Histogram({
    name: 'dataagent_approval_wait_seconds',
    help: 'How long calls waited for a person, by what became of it',
    labelNames: ['outcome'],
    buckets: waits,
    registers,
  })
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
