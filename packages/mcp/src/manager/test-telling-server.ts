import { createInterface } from 'node:readline'

// A server over stdio that tells how it was started.
const results: Record<string, () => object> = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'telling', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'tell', inputSchema: { type: 'object' } }] }),
  'tools/call': () => {
    const told = { args: process.argv.slice(2), env: process.env, cwd: process.cwd() }
    return { content: [{ type: 'text', text: JSON.stringify(told) }] }
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line)
  if (id === undefined) continue
  const result = results[method]?.()
  const error = { code: -32601, message: 'Method not found' }
  const answer = result === undefined ? { error } : { result }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
}
