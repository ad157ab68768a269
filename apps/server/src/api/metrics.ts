import { hostname } from 'node:os'
import { z } from 'zod'
import { defineRoute, type Route, type ServerMetrics } from '../deps/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { requireOverseer } from './overseer.ts'
import { answerWorkers, askWorkers, type WorkerMetricsOptions } from './worker-metrics.ts'

export interface MetricsOptions {
  metrics: ServerMetrics
  /** Which process of several answers; each scrape may reach another one. */
  worker: string
}

const metricsQuery = z.strictObject({ workers: z.enum(['one', 'all']).default('one') })

/** What is counted, in the exposition format of Prometheus. */
export function metricsRoutes(platform: GetPlatform, options: MetricsOptions): Route[] {
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
        'Counters and gauges of this process, or with workers=all of each on this machine, for Prometheus. With several tenants for administrators of the platform and auditors of the tenant default.',
      query: metricsQuery,
      raw: { produces: 'text/plain' },
      async handle({ principal, query, reply }) {
        const here = platform()
        requireOverseer(here, principal)
        const { clock, config } = here
        const workers = query.workers === 'all' ? config.workers : 1
        const text = await askWorkers(toWorkers(here, options), { workers, clock })
        return reply.type(here.hub.metrics.contentType).send(text)
      },
    }),
  ]
}

/** Tells other workers what is counted here. The function ends it; what fails is logged. */
export function tellWorkers(platform: Platform, options: MetricsOptions): () => void {
  if (platform.config.workers <= 1) return () => {}
  const answering = answerWorkers(toWorkers(platform, options))
  answering.catch((error) => platform.log.warn({ error }, 'other workers get no metrics of this'))
  return () => void answering.then((end) => end()).catch(() => {})
}

function toWorkers({ kv, hub }: Platform, options: MetricsOptions): WorkerMetricsOptions {
  const { metrics, worker } = options
  return {
    kv,
    // Workers of one server have the same parent.
    place: `${hostname()}:${process.ppid}`,
    async text() {
      const texts = await Promise.all([metrics.text(), hub.metrics.text()])
      return withLabel(texts.join('\n'), `worker="${worker}"`)
    },
  }
}

/** The same metrics with one more label on each sample. */
function withLabel(text: string, label: string): string {
  return text
    .replace(/^([a-zA-Z_:][\w:]*)\{/gm, `$1{${label},`)
    .replace(/^([a-zA-Z_:][\w:]*) /gm, `$1{${label}} `)
}
