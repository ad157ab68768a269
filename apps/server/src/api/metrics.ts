import { defineRoute, type Route, type ServerMetrics } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { requireOverseer } from './overseer.ts'

export interface MetricsOptions {
  metrics: ServerMetrics
  /** Which process of several answers; each scrape may reach another one. */
  worker: string
}

/** What is counted, in the exposition format of Prometheus. */
export function metricsRoutes(platform: GetPlatform, { metrics, worker }: MetricsOptions): Route[] {
  return [
    defineRoute({
      ...{
        method: 'GET',
        path: '/metrics',
        tag: 'operations',
        access: 'auditor',
        lane: 'reserved',
      },
      summary:
        'Counters and gauges of this process for Prometheus. With several tenants for administrators of the platform and auditors of the tenant default.',
      raw: { produces: 'text/plain' },
      async handle({ principal, reply }) {
        requireOverseer(platform(), principal)
        const { hub } = platform()
        const texts = await Promise.all([metrics.text(), hub.metrics.text()])
        const text = withLabel(texts.join('\n'), `worker="${worker}"`)
        return reply.type(hub.metrics.contentType).send(text)
      },
    }),
  ]
}

/** The same metrics with one more label on each sample. */
function withLabel(text: string, label: string): string {
  return text
    .replace(/^([a-zA-Z_:][\w:]*)\{/gm, `$1{${label},`)
    .replace(/^([a-zA-Z_:][\w:]*) /gm, `$1{${label}} `)
}
