import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Message } from './mode.ts'

/** One HTTP request and the answer to it. */
export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** What a POST holds. */
  readonly message: Message | undefined
}

export async function toExchange(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Exchange> {
  const method = request.method ?? ''
  const body = await text(request)
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const message = method === 'POST' ? (JSON.parse(body) as Message) : undefined
  return { method, url, request, response, message }
}

/** An answer that is whole. Text is sent as it is, anything else as JSON. */
export interface Reply {
  status: number
  headers?: OutgoingHttpHeaders
  body?: unknown
}

export function reply({ response }: Exchange, { status, headers = {}, body = '' }: Reply): true {
  const isText = typeof body === 'string'
  const type = { 'content-type': isText ? 'text/plain' : 'application/json' }
  response.writeHead(status, { ...type, ...headers })
  response.end(isText ? body : JSON.stringify(body))
  return true
}

/** The same as a JSON-RPC error that answers no request, as the official servers do. */
export function refuse(exchange: Exchange, status: number, code: number): true {
  const error = { code, message: `Refused with ${status}` }
  return reply(exchange, { status, body: { jsonrpc: '2.0', id: null, error } })
}
