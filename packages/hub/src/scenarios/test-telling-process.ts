import { createInterface } from 'node:readline'

/**
 * A server over stdio that tells its whole environment: on standard error, as the result of `tell`
 * and as the error of `refuse`. It is run as a program.
 */
const told = JSON.stringify(process.env)
console.error(told)

const tools = ['tell', 'refuse'].map((name) => ({
  ...{ name, description: 'Tells its environment.', inputSchema: { type: 'object' } },
}))

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) {
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...toAnswer(method, params) }))
  }
}

function toAnswer(method: string, params: { name?: string; protocolVersion?: string }): object {
  if (method === 'initialize') {
    const { protocolVersion } = params
    const serverInfo = { name: 'telling', version: '1' }
    return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } }
  }
  if (method === 'tools/list') return { result: { tools } }
  if (method === 'ping') return { result: {} }
  if (method !== 'tools/call') return { error: { code: -32601, message: 'no such method' } }
  if (params.name === 'refuse') return { error: { code: -32000, message: told } }
  return { result: { content: [{ type: 'text', text: told }] } }
}
