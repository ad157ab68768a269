import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** The sessions of one transport. `handle` says false of a path that is none of its own. */
export interface Sessions {
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  tellListChanged(): Promise<void>
  closeAll(): Promise<void>
}

interface Session<T> {
  server: Server
  transport: T
}

type Connect = () => Server

/** HTTP+SSE of 2024-11-05: a stream at `/sse`, and messages posted to `/messages`. */
export function createSseSessions(connect: Connect): Sessions {
  const sessions = new Map<string, Session<SSEServerTransport>>()

  async function open(response: ServerResponse): Promise<void> {
    const transport = new SSEServerTransport('/messages', response)
    const server = connect()
    sessions.set(transport.sessionId, { server, transport })
    server.onclose = () => sessions.delete(transport.sessionId)
    await server.connect(transport as Transport)
  }

  return {
    ...forAll(sessions),
    async handle(request, response) {
      const { pathname, searchParams } = toUrl(request)
      if (pathname === '/sse' && request.method === 'GET') await open(response)
      else if (pathname === '/sse') response.writeHead(405, { allow: 'GET' }).end()
      else if (pathname === '/messages' && request.method === 'POST') {
        const session = sessions.get(`${searchParams.get('sessionId')}`)
        if (session) await session.transport.handlePostMessage(request, response)
        else refuseSession(response)
      } else return false
      return true
    },
  }
}

/** Streamable HTTP at `/mcp`, each client with a session of its own. */
export function createStreamableSessions(connect: Connect): Sessions {
  const sessions = new Map<string, Session<StreamableHTTPServerTransport>>()

  async function open(): Promise<StreamableHTTPServerTransport> {
    const server = connect()
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { server, transport }),
    })
    server.onclose = () => sessions.delete(`${transport.sessionId}`)
    await server.connect(transport as Transport)
    return transport
  }

  return {
    ...forAll(sessions),
    async handle(request, response) {
      if (toUrl(request).pathname !== '/mcp') return false
      const id = request.headers['mcp-session-id']
      const known = sessions.get(`${id}`)?.transport
      if (id !== undefined && !known) refuseSession(response)
      else await (known ?? (await open())).handleRequest(request, response)
      return true
    },
  }
}

function forAll(sessions: Map<string, Session<unknown>>) {
  const each = (run: (server: Server) => Promise<void>) => async () => {
    await Promise.allSettled([...sessions.values()].map(({ server }) => run(server)))
  }
  return {
    tellListChanged: each((server) => server.sendToolListChanged()),
    closeAll: each((server) => server.close()),
  }
}

function refuseSession(response: ServerResponse): void {
  const error = { code: -32001, message: 'Session not found' }
  response.writeHead(404, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
}

export function toUrl(request: IncomingMessage): URL {
  return new URL(`${request.url}`, 'http://127.0.0.1')
}
