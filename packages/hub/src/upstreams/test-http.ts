import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Any number of small servers of the older era on one port, each with a path of its own. */
export interface TestHttp extends AsyncDisposable {
  url(name: string): string
  /** Refuses every request to that server so; 0 for no longer. */
  refuse(name: string, status: number): void
  /** Forgets all sessions, as a server does that was restarted. */
  forgetSessions(): void
  /** The calls of tools that came, by server; with their headers and `_meta`. */
  calls(name: string): Received[]
  sessions(): number
  /** Cuts all connections and no longer listens. */
  kill(): Promise<void>
  /** Listens again at the same address. */
  comeBack(): Promise<void>
}

export interface Received {
  headers: IncomingMessage['headers']
  meta: Record<string, unknown> | undefined
}

export async function startTestHttp({ tools = 2 } = {}): Promise<TestHttp> {
  const refusals = new Map<string, number>()
  const sessions = new Set<string>()
  const received = new Map<string, Received[]>()
  let port = 0
  let server = await listen()

  async function listen() {
    const made = createServer((request, response) => {
      serve(request, response).catch(() => response.destroy())
    })
    made.listen(port, '127.0.0.1')
    await once(made, 'listening')
    port = (made.address() as AddressInfo).port
    return made
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = String(request.url).slice(1)
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>)
    const status = refusals.get(name) ?? 0
    if (status > 0) return void response.writeHead(status).end('no')
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const message = JSON.parse(Buffer.concat(chunks).toString())
    const session = request.headers['mcp-session-id']
    if (session !== undefined && !sessions.has(String(session))) {
      return void response.writeHead(404).end()
    }
    if (message.id === undefined) return void response.writeHead(202).end()
    if (message.method === 'tools/call') {
      const calls = received.get(name) ?? []
      received.set(name, calls)
      calls.push({ headers: request.headers, meta: message.params._meta })
    }
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (message.method === 'initialize') {
      headers['mcp-session-id'] = randomUUID()
      sessions.add(headers['mcp-session-id'])
    }
    response.writeHead(200, headers).end(JSON.stringify(toAnswer(message, tools)))
  }

  async function kill(): Promise<void> {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    sessions.clear()
    await closed
  }

  return {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    refuse: (name, status) => void refusals.set(name, status),
    forgetSessions: () => sessions.clear(),
    calls: (name) => received.get(name) ?? [],
    sessions: () => sessions.size,
    kill,
    async comeBack() {
      server = await listen()
    },
    [Symbol.asyncDispose]: kill,
  }
}

interface Message {
  id: number
  method: string
  params: { protocolVersion?: string; arguments?: { message?: string } }
}

function toAnswer({ id, method, params }: Message, tools: number): object {
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'small', version: '1' },
    },
    ping: {},
    'tools/list': { tools: Array.from({ length: tools }, (_, index) => toTool(index)) },
    'tools/call': { content: [{ type: 'text', text: params?.arguments?.message }] },
  }
  const error = { code: -32601, message: 'Method not found' }
  const result = results[method]
  return result ? { jsonrpc: '2.0', id, result } : { jsonrpc: '2.0', id, error }
}

function toTool(index: number) {
  const name = index === 0 ? 'echo' : `tool_${index}`
  const properties = { message: { type: 'string' } }
  return { name, description: `Tool ${index}`, inputSchema: { type: 'object', properties } }
}
