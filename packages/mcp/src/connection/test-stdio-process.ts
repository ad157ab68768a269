import { createInterface } from 'node:readline'

/** A server on stdin and stdout that starts fast: `echo {message}`, and `slow` without an end. */
const tools = ['echo', 'slow'].map((name) => ({ name, inputSchema: { type: 'object' } }))

for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line)
  const isSlow = params?.name === 'slow'
  if (id !== undefined && !isSlow) console.log(JSON.stringify(toAnswer(id, method, params)))
}

function toAnswer(id: number, method: string, params: Record<string, unknown>) {
  const { protocolVersion } = params ?? {}
  const { message } = (params?.arguments ?? {}) as Record<string, unknown>
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'fast', version: '1' },
    },
    ping: {},
    'tools/list': { tools },
    'tools/call': { content: [{ type: 'text', text: message }] },
  }
  const error = { code: -32601, message: 'Method not found' }
  return method in results
    ? { jsonrpc: '2.0', id, result: results[method] }
    : { jsonrpc: '2.0', id, error }
}
