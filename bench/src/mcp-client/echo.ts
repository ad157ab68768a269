// The least that a server must do: what is left is the cost of the client.

interface Request {
  id: number | string
  method: string
  params?: { name?: string; arguments?: { bytes?: number; text?: string } }
}

const serverInfo = { name: 'echo', version: '1.0.0' }
const capabilities = { tools: {} }
const inputSchema = { type: 'object' }
const cache = { ttlMs: 0, cacheScope: 'private' }
/** Both eras in one: the older clients do not look at what is new. */
const results: Record<string, object> = {
  initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo },
  'server/discover': {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities,
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
    ...cache,
  },
  'tools/list': {
    resultType: 'complete',
    tools: [
      { name: 'echo', inputSchema },
      { name: 'fill', inputSchema },
    ],
    ...cache,
  },
}

/** The answer to a request as JSON; undefined to a notification. */
export function answer(text: string): string | undefined {
  const { id, method, params }: Request = JSON.parse(text)
  if (id === undefined) return undefined
  const result = method === 'tools/call' ? callTool(params) : results[method]
  if (result !== undefined) return JSON.stringify({ jsonrpc: '2.0', id, result })
  const error = { code: -32601, message: `no ${method} here` }
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}

function callTool(params: Request['params']) {
  const { text = '', bytes = 0 } = params?.arguments ?? {}
  const said = params?.name === 'fill' ? 'x'.repeat(bytes) : text
  return { resultType: 'complete', content: [{ type: 'text', text: said }] }
}
