import type { Clock } from '@dataagent/guard'
import {
  AppError,
  healthResponseSchema,
  readinessResponseSchema,
  toErrorResponse,
} from '@dataagent/schema'
import { defineRoute, type Readiness, type Route } from '../deps/index.ts'

export interface HealthOptions {
  version: string
  clock: Clock
  readiness: Readiness
}

/** Whether the process lives (`health`) and whether it can do its work (`ready`). */
export function healthRoutes({ version, clock, readiness }: HealthOptions): Route[] {
  const startedAt = clock.monotonic()
  return [
    defineRoute({
      ...{ method: 'GET', path: '/health', tag: 'operations', access: 'public', lane: 'reserved' },
      summary: 'Whether the process is alive.',
      answer: healthResponseSchema,
      handle: () => ({
        status: readiness.isReady() ? ('ok' as const) : ('degraded' as const),
        version,
        uptime: Math.floor((clock.monotonic() - startedAt) / 1000),
      }),
    }),
    defineRoute({
      ...{ method: 'GET', path: '/ready', tag: 'operations', access: 'public', lane: 'reserved' },
      summary: 'Whether the server can do its work; 503 while something that it needs is away.',
      answer: readinessResponseSchema,
      handle({ request, reply }) {
        const dependencies = readiness.states()
        if (readiness.isReady()) return { status: 'ready' as const, dependencies }
        // Probes come every second: what is away is logged when it goes, not at each of them.
        const { status, body } = toErrorResponse(notReady(dependencies), request.id)
        return reply.code(status).header('retry-after', '1').send(body)
      },
    }),
  ]
}

function notReady(dependencies: ReturnType<Readiness['states']>): AppError {
  const away = dependencies.filter(({ status }) => status !== 'ready').map(({ name }) => name)
  const message = away.length > 0 ? `Waiting for: ${away.join(', ')}.` : 'The server is stopping.'
  return new AppError('unavailable', message, { data: { dependencies } })
}
