import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { invalidCredential, rpcCodes } from '../protocol/index.ts'
import { scopes } from '../tokens/index.ts'
import type { Admission, Visit } from './contract.ts'

/** On every answer: nobody keeps it or guesses at its type. */
export const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

export function sendText(
  response: ServerResponse,
  status: number,
  { text, headers }: { text: string; headers?: OutgoingHttpHeaders | undefined },
): void {
  if (response.headersSent || response.destroyed) return void response.end()
  response.writeHead(status, {
    ...commonHeaders,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}

export function sendNothing(
  response: ServerResponse,
  status: number,
  headers?: OutgoingHttpHeaders,
): void {
  if (response.headersSent || response.destroyed) return void response.end()
  response.writeHead(status, { ...commonHeaders, 'content-length': 0, ...headers })
  response.end()
}

/** A refusal of the transport itself, in the form of JSON-RPC. */
export function sendFault(
  response: ServerResponse,
  status: number,
  fault: { code: number; message: string; data?: unknown; headers?: OutgoingHttpHeaders },
): void {
  const { headers, ...error } = fault
  const text = JSON.stringify({ jsonrpc: '2.0', id: null, error })
  sendText(response, status, { text, headers })
}

/** RFC 9728 §5.1: where a client learns how to be let in. */
export function toChallenge(
  { endpoint }: Pick<Visit, 'endpoint'>,
  publicUrl: string,
  error?: 'invalid_token' | 'insufficient_scope',
): OutgoingHttpHeaders {
  const metadata = `${publicUrl}/.well-known/oauth-protected-resource${endpoint.path}`
  const parts = [`resource_metadata="${metadata}"`, `scope="${scopes.join(' ')}"`]
  if (error !== undefined) parts.unshift(`error="${error}"`)
  return { 'www-authenticate': `Bearer ${parts.join(', ')}` }
}

export function sendChallenge(
  visit: Visit,
  admission: Exclude<Admission, { status: 'ok' }>,
  publicUrl: string,
): void {
  const isMissing = admission.status === 'missing'
  const headers = toChallenge(visit, publicUrl, isMissing ? undefined : 'invalid_token')
  const message = isMissing ? 'Missing Authorization header' : invalidCredential
  sendFault(visit.response, 401, { code: rpcCodes.params, message, headers })
}

/** The bearer token of a request; undefined where there is none of that kind. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1]
}
