import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createTally } from './tally.ts'

/** How long an answer may wait for its reader without any progress. */
const idleMs = 60_000

export interface PlacesOptions {
  /**
   * Requests of one user, from when it is known who calls until the answer has been sent; and of
   * one address, of which is not known yet, or never, whose they are. Half of a user's may be such
   * that take long: they carry a stream, or wait for a person, a tool or a model.
   */
  perUser: number
  /** Requests of one tenant that take long. */
  longPerTenant: number
}

/**
 * Lets no single caller hold all there is by asking without end, sending slowly or not reading.
 * Hooks of the gate must follow, so that the request has its caller before its body is read.
 */
export function addPlaces(app: FastifyInstance, { perUser, longPerTenant }: PlacesOptions): void {
  const addresses = createTally(perUser, 'requests from your address')
  const users = createTally(perUser, 'requests of yours')
  const long = createTally(Math.ceil(perUser / 2), 'requests of yours that take long')
  const longOfTenant = createTally(longPerTenant, 'requests of your tenant that take long')
  const known = new WeakMap<FastifyRequest, () => void>()

  app.addHook('onRequest', async (request, reply) => {
    if (isExempt(request)) return
    const giveBack = addresses.take(request.ip)
    reply.raw.once('close', giveBack)
    known.set(request, giveBack)
  })
  app.addHook('preParsing', async (request, reply) => {
    const { principal } = request.caller ?? {}
    if (!principal || isExempt(request)) return
    known.get(request)?.()
    const { tenant_id, user_id } = principal
    const name = JSON.stringify([tenant_id, user_id])
    reply.raw.once('close', users.take(name))
    if (!request.routeOptions.config.isLong) return
    reply.raw.once('close', long.take(name))
    reply.raw.once('close', longOfTenant.take(tenant_id))
  })
  app.addHook('onSend', async (_request, reply) => cutIdle(reply.raw))
}

/** Cuts an answer off that nobody reads. */
export function cutIdle(raw: ServerResponse): void {
  raw.setTimeout(idleMs, () => raw.destroy())
}

/** A socket stays: the room that holds it counts it. */
function isExempt(request: FastifyRequest): boolean {
  const isSocket = 'ws' in request && request.ws === true
  return isSocket || request.routeOptions.config.lane === 'reserved'
}
