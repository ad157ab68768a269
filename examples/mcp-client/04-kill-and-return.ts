// A server dies. The call that killed it fails at once; the connection comes back by itself, and
// the next call waits for it.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { createMcpManager, isMcpError } from '@dataagent/mcp'

const states: string[] = []
await using mcp = createMcpManager({
  onEvent(event) {
    if (event.kind === 'state') states.push(event.state.status)
  },
})
await mcp.addServer({
  name: 'fickle',
  transport: 'stdio',
  command: process.execPath,
  args: [fileURLToPath(new URL('servers/fickle.ts', import.meta.url))],
  maxRetries: 8,
})
const before = await mcp.callTool('mcp.fickle.pid')

// It may have run, so it is not sent again: whether that would do harm, only you know.
const error = await mcp.callTool('mcp.fickle.die').catch((reason: unknown) => reason)
assert.ok(isMcpError(error, 'closed') && error.mayHaveRun)

// This one cannot have run while nobody was there, and is tried until somebody is.
const after = await mcp.callTool('mcp.fickle.pid')
console.log(`process ${before} is now process ${after}: ${states.join(', ')}`)
assert.notEqual(after, before)
assert.deepEqual(states, ['connecting', 'ready', 'backing_off', 'connecting', 'ready'])
