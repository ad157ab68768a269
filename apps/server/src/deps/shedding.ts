import type { Clock } from '@dataagent/guard'
import { AppError, toErrorResponse } from '@dataagent/schema'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../log/index.ts'
import { watchLoopDelay } from './loop-delay.ts'
import { addPlaces } from './places.ts'

export interface SheddingOptions {
  /** How late the event loop may be. */
  maxLoopDelayMs: number
  /** How many requests may be under way. */
  maxRequests: number
  clock: Clock
  log: Logger
}

/** Turns requests away while there is more to do than can be done in time. */
export interface Shedding {
  /**
   * Routes added after it shed their requests, but for those of the lane `reserved`, and no caller
   * holds more than a share: see `addPlaces`.
   */
  addTo(app: FastifyInstance): void
  isOverloaded(): boolean
  /** Requests whose handlers work now: not such that still arrive, or carry a stream. */
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
  const { maxLoopDelayMs, maxRequests, clock, log } = options
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
    const working = new WeakSet<FastifyRequest>()
    app.addHook('onRequest', async (request, reply) =>
      mustGo(request) ? refuse(request, reply) : undefined,
    )
    addPlaces(app)
    app.addHook('preHandler', async (request, reply) => {
      // What stays for long is counted by who holds it.
      const isLong = request.routeOptions.config.isStream || ('ws' in request && request.ws)
      if (isLong) return undefined
      if (mustGo(request)) return refuse(request, reply)
      working.add(request)
      underWay += 1
      return undefined
    })
    app.addHook('onSend', async (request) => {
      if (working.delete(request)) underWay -= 1
    })
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

const tooBusy = 'The server has more to do than it can do in time.'
