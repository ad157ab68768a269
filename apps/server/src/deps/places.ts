import type { ServerResponse } from 'node:http'
import { AppError } from '@dataagent/schema'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Of one address, requests of which is not known yet, or never, whose they are. */
const perAddress = 200
/** Of one user, from when it is known who calls until the answer has been sent. */
const perUser = 200
/** Of these, such that carry a stream of bytes one way or the other. */
const streamsPerUser = 100
/** How long an answer may wait for its reader without any progress. */
const idleMs = 60_000

/**
 * Lets no single caller hold all there is by asking without end, sending slowly or not reading.
 * Hooks of the gate must follow, so that the request has its caller before its body is read.
 */
export function addPlaces(app: FastifyInstance): void {
  const addresses = createTally(perAddress, 'from your address')
  const users = createTally(perUser, 'of yours')
  const streams = createTally(streamsPerUser, 'of yours that carry a stream')
  const known = new WeakMap<FastifyRequest, () => void>()

  app.addHook('onRequest', async (request, reply) => {
    if (isExempt(request)) return
    known.set(request, addresses.take(request.ip, reply))
  })
  app.addHook('preParsing', async (request, reply) => {
    const { principal } = request.caller ?? {}
    if (!principal || isExempt(request)) return
    known.get(request)?.()
    const name = JSON.stringify([principal.tenant_id, principal.user_id])
    users.take(name, reply)
    if (request.routeOptions.config.isStream) streams.take(name, reply)
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

/** Counts what is open by name. */
function createTally(max: number, whose: string) {
  const open = new Map<string, number>()

  function drop(name: string): void {
    const left = (open.get(name) ?? 0) - 1
    if (left > 0) open.set(name, left)
    else open.delete(name)
  }

  return {
    /** Given back with the answer, or before by what it returns. Throws `rate_limited`. */
    take(name: string, reply: FastifyReply): () => void {
      const used = open.get(name) ?? 0
      if (used >= max) throw tooMany(max, whose)
      open.set(name, used + 1)
      let isHeld = true
      const giveBack = () => {
        if (isHeld) drop(name)
        isHeld = false
      }
      reply.raw.once('close', giveBack)
      return giveBack
    },
  }
}

function tooMany(max: number, whose: string): AppError {
  const message = `${max} requests ${whose} are under way: wait for one to end.`
  return new AppError('rate_limited', message, { data: { retryAfterMs: 1_000 } })
}
