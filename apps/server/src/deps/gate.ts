import { AppError } from '@dataagent/schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type Access,
  type Caller,
  mayAccess,
  type Principal,
  refuseSecretsInUrl,
} from '../identity/index.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** `reserved` is answered also when the server sheds load. */
    lane?: 'normal' | 'reserved'
    /** The handler reads the body itself. */
    takesRaw?: boolean
    /** It carries bytes as long as the caller takes, or waits for a person, a tool or a model. */
    isLong?: boolean
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    caller: Caller | undefined
  }
}

/**
 * Finds who calls. Throws `unauthenticated`, `rate_limited`, `forbidden`, or `store_unavailable`
 * when it cannot know.
 */
export type Authenticate = (request: FastifyRequest) => Promise<Caller>

/**
 * The one gate: routes added after it must declare `config.access`, or the server does not start;
 * each request passes before its body is read.
 */
export function addGate(app: FastifyInstance, authenticate: Authenticate): void {
  app.decorateRequest('caller', undefined)

  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined)
      throw new AppError('internal', `the route ${method} ${url} does not say who may call it`)
  })

  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    if (request.is404) return
    refuseSecretsInUrl(request)
    if (access === 'public') return
    const caller = await authenticate(request)
    if (!mayAccess(caller.principal, access ?? 'platform_admin'))
      throw new AppError('forbidden', 'Your role does not allow this.')
    request.caller = caller
  })
}

/** Who calls a route that is not public, and how we know. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new AppError('internal', 'a public route has no principal')
  return caller
}

/** The caller of a route that is not public. */
export function principalOf(request: FastifyRequest): Principal {
  return callerOf(request).principal
}
