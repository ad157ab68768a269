import { createTestServer } from '../connection/test-server.ts'
import { McpError } from '../errors.ts'
import { createMcpManager } from './manager.ts'

// A program with nothing to do but to wait for a call that is tried again.
const server = createTestServer('run')
let tries = 0
server.answers.set('tools/call', () => {
  tries += 1
  if (tries === 3) return { content: [{ type: 'text', text: `ran at try ${tries}` }] }
  const details = { kind: 'http', code: 'rate_limited', message: 'mcp: http 429' } as const
  throw new McpError({ ...details, retryable: true, statusCode: 429 })
})
const manager = createMcpManager()
await manager.addServer({ name: 's', transport: 'http' }, server)
console.log(await manager.callTool('mcp.s.run'))
await manager.disconnectAll()
