// An MCP server over stdio, as a configuration of Claude Desktop starts one: it adds two numbers.
import { createInterface } from 'node:readline'

const number = { type: 'number' }
const addUp = {
  ...{ name: 'add_up', description: 'Adds two numbers' },
  inputSchema: {
    ...{ type: 'object', required: ['first', 'second'] },
    properties: { first: number, second: number },
  },
  annotations: { readOnlyHint: true },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined)
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer(method, params) }))
}

function answer(method: string, params: { arguments?: Record<string, number> } = {}): object {
  if (method === 'initialize') {
    const serverInfo = { name: 'calculator', version: '1.0.0' }
    return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } }
  }
  if (method === 'ping') return { result: {} }
  if (method === 'tools/list') return { result: { tools: [addUp] } }
  if (method !== 'tools/call') return { error: { code: -32_601, message: `There is no ${method}` } }
  const { first = 0, second = 0 } = params.arguments ?? {}
  return { result: { content: [{ type: 'text', text: `sum: ${first + second}` }] } }
}
