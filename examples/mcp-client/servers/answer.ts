type Tools = Record<string, (args: Record<string, unknown>) => string>

interface Request {
  id?: number
  method: string
  params?: { name?: string; arguments?: Record<string, unknown> }
}

/** The answer of a server with these tools and nothing else; undefined to a notification. */
export function answer(tools: Tools, { id, method, params = {} }: Request) {
  if (id === undefined) return undefined
  const result = resultOf(tools, method, params)
  const error = { code: -32601, message: `No ${method}` }
  return { jsonrpc: '2.0', id, ...(result ? { result } : { error }) }
}

function resultOf(tools: Tools, method: string, params: NonNullable<Request['params']>) {
  if (method === 'initialize') {
    const serverInfo = { name: 'example', version: '1.0.0' }
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list') {
    return { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) }
  }
  const tool = method === 'tools/call' && tools[`${params.name}`]
  return tool && { content: [{ type: 'text', text: tool(params.arguments ?? {}) }] }
}
