import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Access, Principal } from '../identity/index.ts'

/** The subjects by which the API is described. */
export const tags = [
  'sign-in',
  'chat',
  'sessions',
  'agents',
  'models',
  'evaluations',
  'data',
  'approvals',
  'tools',
  'servers',
  'gateway',
  'policy',
  'users',
  'tenants',
  'audit',
  'memory',
  'files',
  'operations',
] as const
export type Tag = (typeof tags)[number]

/** One request to a route, its parts parsed. */
export interface Call<P = unknown, Q = unknown, B = unknown> {
  /** Throws on a public route. */
  readonly principal: Principal
  params: P
  query: Q
  body: B
  request: FastifyRequest
  reply: FastifyReply
  /** Aborts when the caller leaves before the answer. */
  signal: AbortSignal
}

/**
 * Bodies that a handler reads or sends itself; the media types, for the description, several
 * separated by commas.
 */
export interface RawBodies {
  consumes?: string
  produces?: string
}

/** One route under /api/v1: who may call it, what it takes and what it gives. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As Fastify writes it: `/sessions/:session_id`. */
  path: string
  tag: Tag
  summary: string
  access: Access
  params: z.ZodType
  query: z.ZodType
  body: z.ZodType | undefined
  /** What is not in it is not sent. Undefined: nothing is. */
  answer: z.ZodType | undefined
  /** The answer is sent as the handler gives it: for long lists of what is stored as it is sent. */
  asIs: boolean
  status: number
  /** Takes an Idempotency-Key: sent twice, it is done once. */
  creates: boolean
  /** Sent again, its handler finds what it made and answers alike: it may be called again. */
  findsAgain: boolean
  /** Its answer is shown once: whoever sends the request again is told only that it was done. */
  secretAnswer: boolean
  /** `reserved` is answered also when the server sheds load. */
  lane: 'normal' | 'reserved'
  /** Its answer may wait for a person, a tool, a server or a model: counted as streams are. */
  isLong: boolean
  raw: RawBodies | undefined
  handle(call: Call): unknown
}

export interface RouteSpec<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
> extends Pick<Route, 'method' | 'path' | 'tag' | 'summary' | 'access'> {
  params?: P
  query?: Q
  body?: B
  answer?: A
  asIs?: true
  status?: number
  creates?: true
  findsAgain?: true
  secretAnswer?: true
  lane?: 'reserved'
  isLong?: true
  raw?: RawBodies
  handle(call: Call<z.output<P>, z.output<Q>, z.output<B>>): Handled<A>
}

/** A raw route may have sent its answer itself. */
type Handled<A extends z.ZodType> = z.input<A> | FastifyReply | Promise<z.input<A> | FastifyReply>

const nothing = z.strictObject({})
type Nothing = typeof nothing

/** Describes a route; `addRoutes` adds it to the server. */
export function defineRoute<
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = z.ZodUndefined,
  A extends z.ZodType = z.ZodUndefined | z.ZodVoid,
>(spec: RouteSpec<P, Q, B, A>): Route {
  const { params = nothing, query = nothing, body, answer, raw, handle } = spec
  const given = { method: spec.method, path: spec.path, tag: spec.tag, summary: spec.summary }
  return {
    ...given,
    ...{ access: spec.access, params, query, body, answer, raw, handle: handle as Route['handle'] },
    asIs: spec.asIs ?? false,
    status: spec.status ?? (answer || raw?.produces ? 200 : 204),
    creates: spec.creates ?? false,
    findsAgain: spec.findsAgain ?? false,
    secretAnswer: spec.secretAnswer ?? false,
    lane: spec.lane ?? 'normal',
    isLong: spec.isLong ?? false,
  }
}
