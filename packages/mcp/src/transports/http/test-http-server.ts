import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { JsonRpcRequest } from '../../rpc/messages.ts'

/** A request as it reached the server. */
export interface SeenRequest {
  method: string
  /** Path and query. */
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The body of a POST, parsed. */
  message: JsonRpcRequest
  response: ServerResponse
}

export type Handler = (request: SeenRequest) => void

export interface TestHttpServer extends AsyncDisposable {
  origin: string
  /** Where the transport is to go: `origin` and `/mcp`. */
  url: string
  seen: SeenRequest[]
  /** Those of one HTTP method. */
  of(method: string): SeenRequest[]
  /** How many connections are open. */
  open(): number
  /** How many were ever opened. */
  connections(): number
}

/** A real HTTP server on loopback that keeps what reached it. */
export async function startHttpServer(handler: Handler): Promise<TestHttpServer> {
  const seen: SeenRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    let body = ''
    for await (const chunk of request) body += chunk
    const message = method === 'POST' ? JSON.parse(body) : undefined
    const one = { method, path, headers, body, message, response }
    seen.push(one)
    handler(one)
  })
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    url: `${origin}/mcp`,
    seen,
    of: (method) => seen.filter((one) => one.method === method),
    open: () => sockets.size,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** Begins an answer that is an event stream. */
export function sendStream(response: ServerResponse, ...events: string[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  for (const event of events) response.write(event)
}

/** A message as an event. */
export function toEvent(message: unknown, fields = ''): string {
  return `${fields}data: ${JSON.stringify(message)}\n\n`
}

/** The response to a request. */
export function toResult(request: SeenRequest, result: unknown = {}) {
  return { jsonrpc: '2.0', id: request.message.id, result }
}

/**
 * Answers as a legacy server does: `initialize` with a session, notifications with 202, no stream
 * of its own; every other request is left to `handler`.
 */
export function asLegacyServer(handler: Handler, { session = 'session-1' } = {}): Handler {
  return (request) => {
    const { method, message, response } = request
    if (method !== 'POST') response.writeHead(405).end()
    else if (message.method === 'initialize') {
      response.setHeader('mcp-session-id', session)
      sendJson(response, toResult(request, { protocolVersion: '2025-11-25' }))
    } else if (message.id === undefined) response.writeHead(202).end()
    else handler(request)
  }
}
