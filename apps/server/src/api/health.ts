import type { Clock } from '@dataagent/guard'
import { AppError, type HealthResponse, type ReadinessResponse } from '@dataagent/schema'
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

  app.get('/ready', options, async (): Promise<ReadinessResponse> => {
    const dependencies = readiness.states()
    if (readiness.isReady()) return { status: 'ready', dependencies }
    const away = dependencies.filter(({ status }) => status !== 'ready').map(({ name }) => name)
    const message = away.length > 0 ? `Waiting for: ${away.join(', ')}.` : 'The server is stopping.'
    throw new AppError('unavailable', message, { data: { dependencies } })
  })
}
