import type { IncomingHttpHeaders } from 'node:http'
import type { Answer, ErrorReply } from './reply.ts'
import type { ModelRequest } from './request.ts'

/** A request refused before any model saw it. */
export interface Refusal extends ErrorReply {
  message: string
  /** OpenAI's name of the parameter at fault. */
  param?: string | null
}

export type JsonObject = Record<string, unknown>

/**
 * Text of a stream to be sent as it is; a token is sent at its time, the rest with what comes
 * before.
 */
export interface Frame {
  text: string
  isToken: boolean
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string>
  body: JsonObject
}

/** How a provider's API looks from outside. */
export interface Wire {
  /** The key that the request carries. */
  apiKey(headers: IncomingHttpHeaders): string | undefined
  /** What the request says, or why the provider would not have it. */
  parse(body: JsonObject, headers: IncomingHttpHeaders): ModelRequest | Refusal
  whole(request: ModelRequest, answer: Answer): HttpAnswer
  streamHeaders(): Record<string, string>
  frames(request: ModelRequest, answer: Answer): Iterable<Frame>
  /** The event that ends a stream in mid-way. */
  brokenFrame(): string
  refuse(refusal: ErrorReply): HttpAnswer
  models(ids: string[]): JsonObject
}

export function isRefusal(value: ModelRequest | Refusal): value is Refusal {
  return 'error' in value
}

export const toolName = /^[a-zA-Z0-9_-]{1,64}$/

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {}
}

export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Pieces of a JSON text as models stream it. */
export function jsonFragments(json: string): string[] {
  return json.match(/[\s\S]{1,6}/g) ?? []
}
