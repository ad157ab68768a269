// A server dies. The call that killed it fails at once, the connection comes back by itself.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createMcpManager, isMcpError } from '@dataagent/mcp'

const states = new EventEmitter()
await using mcp = createMcpManager({
  onEvent(event) {
    if (event.kind !== 'state') return
    console.log(event.state.status)
    states.emit(event.state.status)
  },
})
const args = [fileURLToPath(new URL('servers/fickle.ts', import.meta.url))]
await mcp.addServer({ name: 'fickle', transport: 'stdio', command: process.execPath, args })
const before = await mcp.callTool('mcp.fickle.pid')

const isBack = once(states, 'ready')
const error = await mcp.callTool('mcp.fickle.die').catch((reason: unknown) => reason)
assert.ok(isMcpError(error, 'closed'), 'the call fails, and is not sent again: it may have run')

await isBack
const after = await mcp.callTool('mcp.fickle.pid')
console.log(`process ${before} is now process ${after}`)
assert.notEqual(after, before)
