// The least that a server must do: what is left is the cost of the client.

interface Request {
  id: number | string
  method: string
  params?: { name?: string; arguments?: { bytes?: number; text?: string } }
}

const serverInfo = { name: 'echo', version: '1.0.0' }
const capabilities = { tools: {} }
const inputSchema = { type: 'object' }
const text = { type: 'string', maxLength: 1_000 }
const checked = { type: 'object', properties: { text }, required: ['text'] }
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
      { name: 'checked', inputSchema: checked, outputSchema: checked },
    ],
    ...cache,
  },
}

/** The answer to a request as JSON; undefined to a notification. Some want a long list of tools. */
export function answer(text: string, tools = 0): string | undefined {
  const { id, method, params }: Request = JSON.parse(text)
  if (id === undefined) return undefined
  const result = method === 'tools/call' ? callTool(params) : toResult(method, tools)
  if (result !== undefined) return JSON.stringify({ jsonrpc: '2.0', id, result })
  const error = { code: -32601, message: `no ${method} here` }
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}

function toResult(method: string, tools: number) {
  const result = results[method]
  return method === 'tools/list' && tools > 0 ? { ...result, tools: toTools(tools) } : result
}

function toTools(count: number) {
  const path = { type: 'string', description: 'Where it is' }
  return Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: `Reads the file number ${index}`,
    inputSchema: { type: 'object', properties: { path }, required: ['path'] },
  }))
}

function callTool(params: Request['params']) {
  const { text = '', bytes = 0 } = params?.arguments ?? {}
  const said = params?.name === 'fill' ? 'x'.repeat(bytes) : text
  const content = [{ type: 'text', text: said }]
  if (params?.name !== 'checked') return { resultType: 'complete', content }
  return { resultType: 'complete', content, structuredContent: { text: said } }
}
