import { AppError, parseAs } from '@dataagent/schema'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { principalOf } from './gate.ts'
import type { Call, Route } from './route.ts'

/** What a request is answered with. */
export interface Answer {
  status: number
  /** JSON; undefined where nothing is sent. */
  body: string | undefined
}

/**
 * Does the work of a request that carries an Idempotency-Key once, however often it comes. The work
 * gives undefined where it has sent the answer itself, and so does this.
 */
export type Once = (
  call: Call,
  route: Route,
  work: () => Promise<Answer | undefined>,
) => Promise<Answer | undefined>

export interface AddRoutesOptions {
  once: Once
}

/** Adds described routes: input parsed, answers cut to what they are described as. */
export function addRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  { once }: AddRoutesOptions,
): void {
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      config: {
        access: route.access,
        lane: route.lane,
        takesRaw: route.raw?.consumes !== undefined,
        isLong: route.isLong || route.raw !== undefined,
      },
      handler: (request, reply) => respond(route, once, { request, reply }),
    })
  }
}

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

async function respond(route: Route, once: Once, { request, reply }: Exchange) {
  const call = toCall(route, request, reply)
  const isKept = route.creates && request.headers['idempotency-key'] !== undefined
  const work = async () => toAnswer(route, reply, await route.handle(call))
  const answer = isKept ? await once(call, route, work) : await work()
  if (answer === undefined) return reply
  reply.code(answer.status)
  if (answer.body === undefined) return reply.send()
  return reply.type('application/json; charset=utf-8').send(answer.body)
}

function toAnswer(route: Route, reply: FastifyReply, value: unknown): Answer | undefined {
  if (reply.sent || value === reply) return undefined
  const status = reply.statusCode === 200 ? route.status : reply.statusCode
  if (route.answer === undefined) return { status, body: undefined }
  return { status, body: JSON.stringify(cut(route, route.answer, value)) }
}

/** What a handler gave, without what the route does not describe. */
function cut(route: Route, schema: z.ZodType, value: unknown): unknown {
  if (route.asIs) return value
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const message = `the answer of ${route.method} ${route.path} is not as described`
  throw new AppError('internal', message, { cause: parsed.error })
}

function toCall(route: Route, request: FastifyRequest, reply: FastifyReply): Call {
  const leaving = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) leaving.abort()
  })
  return {
    get principal() {
      return principalOf(request)
    },
    params: parseAs(route.params, request.params, 'path'),
    query: parseAs(route.query, request.query, 'query'),
    body: route.body && parseAs(route.body, request.body ?? {}, 'body'),
    request,
    reply,
    signal: leaving.signal,
  }
}
