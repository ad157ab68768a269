import { AppError } from '@dataagent/schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Access, mayAccess, type Principal } from '../keys/index.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    principal: Principal | undefined
  }
}

/** Finds who calls. Throws `unauthenticated`, or `store_unavailable` when it cannot know. */
export type Authenticate = (request: FastifyRequest) => Promise<Principal>

/**
 * The one gate: routes added after it must declare `config.access`, or the server does not start;
 * each request passes before its body is read.
 */
export function addGate(app: FastifyInstance, authenticate: Authenticate): void {
  app.decorateRequest('principal', undefined)

  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined)
      throw new AppError('internal', `the route ${method} ${url} does not say who may call it`)
  })

  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    if (request.is404 || access === 'public') return
    const principal = await authenticate(request)
    if (!mayAccess(principal, access ?? 'platform_admin'))
      throw new AppError('forbidden', 'Your key does not allow this.')
    request.principal = principal
  })
}

/** The caller of a route that is not public. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new AppError('internal', 'a public route has no principal')
  return request.principal
}
