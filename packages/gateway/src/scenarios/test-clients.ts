import { ask, type Rpc, request, send, type Wire, type WireAsk } from './test-wire.ts'

const clientInfo = { name: 'Outsider', version: '1.0.0' }

/** A session of Streamable HTTP, as far as it is agreed on. */
export interface Session {
  session_id: string
  version: string
  /** Headers of everything that belongs to it. */
  headers: Record<string, string>
}

export async function openSession(
  url: string,
  token: string,
  { version = '2025-11-25', capabilities = {} }: { version?: string; capabilities?: object } = {},
): Promise<Session> {
  const params = { protocolVersion: version, capabilities, clientInfo }
  const wire = await send(`${url}/mcp`, { token, body: request(0, 'initialize', params) })
  await wire.ended
  const session_id = wire.headers.get('mcp-session-id') ?? ''
  const headers = { 'mcp-session-id': session_id, 'mcp-protocol-version': version }
  const body = { jsonrpc: '2.0', method: 'notifications/initialized' }
  await send(`${url}/mcp`, { token, headers, body })
  return { session_id, version: wire.messages[0]?.result.protocolVersion, headers }
}

/** An open stream of HTTP+SSE. */
export interface SseClient {
  stream: Wire
  /** Path and query to post to. */
  endpoint: string
  /** Posts to the address of any worker. */
  post(base: string, body: object | string, token?: string): Promise<Wire>
  /** Posts a request and gives what the stream answers. */
  ask(base: string, id: number, method: string, params?: object): Promise<Rpc>
}

export async function openSse(
  url: string,
  token: string,
  { path = '/mcp/v1/sse', capabilities = {} }: { path?: string; capabilities?: object } = {},
): Promise<SseClient> {
  const stream = await send(url + path, { method: 'GET', token })
  const endpoint = await firstEndpoint(stream)
  const post: SseClient['post'] = (base, body, own = token) =>
    send(base + endpoint, { token: own, body, headers: { accept: '*/*' } })
  const client: SseClient = {
    ...{ stream, endpoint, post },
    async ask(base, id, method, params) {
      await post(base, request(id, method, params))
      return stream.until((message) => message.id === id && message.method === undefined)
    },
  }
  const params = { protocolVersion: '2025-06-18', capabilities, clientInfo }
  await client.ask(url, 0, 'initialize', params)
  return client
}

async function firstEndpoint(stream: Wire): Promise<string> {
  for (;;) {
    const found = stream.events.find(({ event }) => event === 'endpoint')
    if (found) return found.data
    await Promise.race([stream.ended, new Promise((resolve) => setTimeout(resolve, 5))])
    if (stream.status !== 200) throw new Error(`no stream but ${stream.status}`)
  }
}

/** A request of 2026-07-28, with the headers that it must have. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  { id = 1, capabilities = {} }: { id?: number; capabilities?: object } = {},
): Required<Pick<WireAsk, 'body' | 'headers'>> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': clientInfo,
  }
  const name = params.name ?? params.uri
  return {
    body: request(id, method, { ...params, _meta: { ..._meta, ...(params._meta as object) } }),
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
  }
}

/** A call of a tool without a session, in the modern era. */
export function callModern(
  url: string,
  token: string,
  params: Record<string, unknown> & { name: string },
  capabilities: object = {},
) {
  return ask(`${url}/mcp`, { token, ...modern('tools/call', params, { capabilities }) })
}
