// A program of somebody who has installed the packages. It calls a tool of a server in its own
// process and of one over stdio, which is this same file with the argument "serve".
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createInProcessTransport, createMcpManager, type JsonRpcMessage } from '@dataagent/mcp'

const serverInfo = { name: 'echo', version: '1.0.0' }
const echo = { name: 'echo', inputSchema: { type: 'object' as const } }

if (process.argv[2] === 'serve') await serve()
else await callBoth()

async function callBoth(): Promise<void> {
  await using manager = createMcpManager()
  await manager.addServer(
    { name: 'near', transport: 'http' },
    { createTransport: () => createInProcessTransport(answer) },
  )
  const args = [fileURLToPath(import.meta.url), 'serve']
  await manager.addServer({ name: 'far', transport: 'stdio', command: process.execPath, args })
  console.log(await manager.callTool('mcp.near.echo', { say: 'hello' }))
  console.log(await manager.callTool('mcp.far.echo', { say: 'hello' }))
}

/** Compiles only where the types of the package are there. */
export function misuse(): void {
  // @ts-expect-error: a prefix is text
  createMcpManager({ toolPrefix: 1 })
}

async function serve(): Promise<void> {
  for await (const line of createInterface(process.stdin)) {
    const response = answer(JSON.parse(line))
    if (response) process.stdout.write(`${JSON.stringify(response)}\n`)
  }
}

function answer(message: JsonRpcMessage) {
  if (!('method' in message) || !('id' in message)) return undefined
  const { id, method, params } = message
  const reply = (result: object) => ({ jsonrpc: '2.0', id, result })
  if (method === 'initialize') {
    return reply({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo })
  }
  if (method === 'tools/list') return reply({ tools: [echo] })
  if (method === 'tools/call') {
    return reply({ content: [{ type: 'text', text: JSON.stringify(params?.arguments) }] })
  }
  return { jsonrpc: '2.0', id, error: { code: -32601, message: `no ${method} here` } }
}
