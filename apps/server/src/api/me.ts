import type { FastifyInstance } from 'fastify'
import { principalOf } from '../deps/index.ts'

/** Who the caller is, as the server sees it. */
export function addMeRoute(app: FastifyInstance): void {
  app.get('/me', { config: { access: 'user' } }, async (request) => principalOf(request))
}
