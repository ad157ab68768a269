import type { Clock } from '@dataagent/guard'
import {
  AppError,
  type HealthResponse,
  type ReadinessResponse,
  toErrorResponse,
} from '@dataagent/schema'
import type { FastifyInstance } from 'fastify'
import type { Readiness } from '../deps/index.ts'

export interface HealthOptions {
  version: string
  clock: Clock
  readiness: Readiness
}

/** Whether the process lives (`health`) and whether it can do its work (`ready`). */
export function addHealthRoutes(
  app: FastifyInstance,
  { version, clock, readiness }: HealthOptions,
): void {
  const startedAt = clock.monotonic()
  const options = { config: { access: 'public' } } as const

  app.get(
    '/health',
    options,
    async (): Promise<HealthResponse> => ({
      status: readiness.isReady() ? 'ok' : 'degraded',
      version,
      uptime: Math.floor((clock.monotonic() - startedAt) / 1000),
    }),
  )

  // Probes come every second: that something is away is logged when it goes, not at each of them.
  app.get('/ready', options, async (request, reply) => {
    const dependencies = readiness.states()
    const ready: ReadinessResponse = { status: 'ready', dependencies }
    if (readiness.isReady()) return ready
    const away = dependencies.filter(({ status }) => status !== 'ready').map(({ name }) => name)
    const message = away.length > 0 ? `Waiting for: ${away.join(', ')}.` : 'The server is stopping.'
    const error = new AppError('unavailable', message, { data: { dependencies } })
    const { status, body } = toErrorResponse(error, request.id)
    return reply.code(status).header('retry-after', '1').send(body)
  })
}
