import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Fields = Record<string, unknown>

export interface Rpc extends Fields {
  id?: number | string
  method?: string
  params?: Fields
}

/** One request of a hand-written server. */
export interface Exchange {
  /** `POST /mcp` */
  route: string
  headers: IncomingHttpHeaders
  body: string
  rpc: Rpc
  response: ServerResponse
}

export interface TestServer extends AsyncDisposable {
  origin: string
  /** In the order of arrival. */
  routes: string[]
}

export async function startServer(handle: (exchange: Exchange) => unknown): Promise<TestServer> {
  const routes: string[] = []
  const server = createServer(async (incoming, response) => {
    const route = `${incoming.method} ${incoming.url}`
    routes.push(route)
    const body = await text(incoming).catch(() => '')
    const isJson = incoming.headers['content-type'] === 'application/json' && body !== ''
    const rpc = (isJson ? JSON.parse(body) : {}) as Rpc
    await handle({ route, headers: incoming.headers, body, rpc, response })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    routes,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

export function send(
  response: ServerResponse,
  status: number,
  body: unknown = '',
  headers: Record<string, string> = {},
): void {
  const isText = typeof body === 'string'
  const type = isText ? 'text/plain' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers })
  response.end(isText ? body : JSON.stringify(body))
}

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
}

export const tool = { name: 'greet', inputSchema: { type: 'object' } }

/** Results by method, with `changes` over them. */
export function resultOf(method = '', changes: Record<string, Fields> = {}): Fields {
  const results: Record<string, Fields> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'test', version: '1' },
    },
    'tools/list': { tools: [tool] },
    'tools/call': { content: [{ type: 'text', text: 'hi' }] },
  }
  return { ...results[method], ...changes[method] }
}

export function answerTo({ id, method }: Rpc, changes: Record<string, Fields> = {}): Fields {
  return { jsonrpc: '2.0', id, result: resultOf(method, changes) }
}

/** Answers in the POST; notifications with 202. */
export function answerPost(
  { rpc, response }: Exchange,
  headers: Record<string, string> = {},
): void {
  if (rpc.id === undefined) send(response, 202)
  else send(response, 200, answerTo(rpc), headers)
}

/** The HTTP+SSE side: a stream for `GET /sse`, and its answers to `POST /messages`. */
export function createSseSide({ endpoint = '/messages' } = {}) {
  let stream: ServerResponse | undefined

  const write = (text: string) => stream?.write(text)

  return {
    open(response: ServerResponse): void {
      stream = response
      openStream(response)
      write(`event: endpoint\ndata: ${endpoint}\n\n`)
    },
    write,
    say: (message: Fields) => write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
    end: () => stream?.end(),
  }
}
