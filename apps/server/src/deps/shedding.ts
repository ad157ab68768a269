import type { Clock } from '@dataagent/guard'
import { AppError, toErrorResponse } from '@dataagent/schema'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../log/index.ts'
import { watchLoopDelay } from './loop-delay.ts'
import { addPlaces } from './places.ts'
import { createTally } from './tally.ts'

export interface SheddingOptions {
  /** How late the event loop may be. */
  maxLoopDelayMs: number
  /** How many requests may be under way. */
  maxRequests: number
  /** How many of one user, or one address: see `addPlaces`. */
  maxRequestsPerUser: number
  /** Whether several tenants share the places. */
  hasTenants: boolean
  clock: Clock
  log: Logger
}

/** Turns requests away while there is more to do than can be done in time. */
export interface Shedding {
  /**
   * Routes added after it shed their requests, but for those of the lane `reserved`. No caller and
   * none of several tenants holds more than a share: see `addPlaces`.
   */
  addTo(app: FastifyInstance): void
  isOverloaded(): boolean
  /** Requests whose handlers work now: not such that still arrive, or take long. */
  readonly underWay: number
  /** How late the event loop is: what it was late by at least twice within the last seconds. */
  readonly loopDelayMs: number
  /** Requests turned away since the start. */
  readonly shed: number
  stop(): void
}

const retryAfterMs = 1_000
/** Between two records that requests are turned away. */
const tellEveryMs = 10_000

export function createShedding(options: SheddingOptions): Shedding {
  const { maxLoopDelayMs, maxRequests, maxRequestsPerUser, hasTenants, clock, log } = options
  const shares = hasTenants ? sharesOf(maxRequests) : noShares
  const loop = watchLoopDelay(clock)
  let underWay = 0
  let shed = 0
  let toldAt = Number.NEGATIVE_INFINITY

  const isOverloaded = () => underWay >= maxRequests || loop.delayMs() > maxLoopDelayMs

  function tell(): void {
    if (clock.monotonic() - toldAt < tellEveryMs) return
    toldAt = clock.monotonic()
    log.warn({ under_way: underWay, loop_delay_ms: Math.round(loop.delayMs()), shed }, tooBusy)
  }

  function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    shed += 1
    tell()
    const error = new AppError('unavailable', tooBusy, { data: { retryAfterMs } })
    const { status, body } = toErrorResponse(error, request.id)
    return reply
      .code(status)
      .header('retry-after', retryAfterMs / 1000)
      .send(body)
  }

  const mustGo = ({ routeOptions }: FastifyRequest) =>
    routeOptions.config.lane !== 'reserved' && isOverloaded()

  function addTo(app: FastifyInstance): void {
    const working = new WeakMap<FastifyRequest, () => void>()
    const tenants = createTally(shares.perTenant, 'requests of your tenant')
    app.addHook('onRequest', async (request, reply) =>
      mustGo(request) ? refuse(request, reply) : undefined,
    )
    addPlaces(app, { ...shares, perUser: maxRequestsPerUser })
    app.addHook('preHandler', async (request, reply) => {
      // What stays for long is counted by who holds it.
      const isLong = request.routeOptions.config.isLong || ('ws' in request && request.ws)
      if (isLong) return undefined
      if (mustGo(request)) return refuse(request, reply)
      working.set(request, enter(request))
      return undefined
    })
    app.addHook('onSend', async (request) => {
      working.get(request)?.()
      working.delete(request)
    })

    function enter({ caller, routeOptions }: FastifyRequest): () => void {
      const isCounted = caller !== undefined && routeOptions.config.lane !== 'reserved'
      const giveBack = isCounted ? tenants.take(caller.principal.tenant_id) : () => {}
      underWay += 1
      return () => {
        underWay -= 1
        giveBack()
      }
    }
  }

  return {
    addTo,
    isOverloaded,
    get underWay() {
      return underWay
    },
    get loopDelayMs() {
      return loop.delayMs()
    },
    get shed() {
      return shed
    },
    stop: loop.stop,
  }
}

const noShares = { perTenant: Number.POSITIVE_INFINITY, longPerTenant: Number.POSITIVE_INFINITY }

/**
 * What one of several tenants may hold: nearly all places for short requests, as it may be the only
 * one with something to do; half as many for long ones, as those come back after minutes.
 */
function sharesOf(maxRequests: number): typeof noShares {
  return {
    perTenant: Math.max(1, Math.floor(maxRequests * 0.9)),
    longPerTenant: Math.max(1, Math.floor(maxRequests / 2)),
  }
}

const tooBusy = 'The server has more to do than it can do in time.'
