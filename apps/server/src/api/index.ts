import type { FastifyInstance } from 'fastify'
import { addHealthRoutes, type HealthOptions } from './health.ts'
import { addMeRoute } from './me.ts'

export type ApiOptions = HealthOptions

/** Every route under /api/v1. */
export async function addApi(app: FastifyInstance, options: ApiOptions): Promise<void> {
  await app.register(
    async (api) => {
      addHealthRoutes(api, options)
      addMeRoute(api)
    },
    { prefix: '/api/v1' },
  )
}
