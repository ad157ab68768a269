// A server without a process or a socket: a function of yours that answers JSON-RPC.
import assert from 'node:assert/strict'
import { createInProcessTransport, createMcpManager, type InProcessHandler } from '@dataagent/mcp'

const add = {
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
}

const calculator: InProcessHandler = (message) => {
  if (!('method' in message) || !('id' in message)) return undefined
  const { id, method, params } = message
  const answer = (result: object) => ({ jsonrpc: '2.0', id, result })
  if (method === 'initialize') {
    const serverInfo = { name: 'calculator', version: '1.0.0' }
    return answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo })
  }
  if (method === 'tools/list') return answer({ tools: [add] })
  if (method === 'tools/call') {
    const { a, b } = Object(params?.arguments)
    return answer({ content: [{ type: 'text', text: `${a + b}` }] })
  }
  return { jsonrpc: '2.0', id, error: { code: -32601, message: `No ${method}` } }
}

await using mcp = createMcpManager({ toolPrefix: '{tool}' })
await mcp.addServer(
  { name: 'calculator', transport: 'http' },
  { createTransport: () => createInProcessTransport(calculator) },
)
assert.equal(await mcp.callTool('add', { a: 20, b: 22 }), '42')
