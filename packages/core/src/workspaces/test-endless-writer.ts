import { connectKv } from '@dataagent/store/kv'
import { createWorkspaces } from './workspaces.ts'

// A process that writes files without end into ada's workspace, over its parent's KV, and says so
// when one is half written: until it is killed.
const [root = '', quota = ''] = process.argv.slice(2)
const kv = connectKv({ parent: process, timeoutMs: 30_000 })
await kv.ready()
const workspaces = createWorkspaces({ root, kv, quotaOf: () => Number(quota) })
await workspaces.use({ tenant_id: 'default', user_id: 'ada' }, async (workspace) => {
  await Promise.all(['a', 'b', 'c'].map((name) => workspace.write(`files/${name}`, endless())))
})

async function* endless(): AsyncGenerator<Buffer> {
  for (let piece = 0; ; piece += 1) {
    yield Buffer.alloc(1_000)
    if (piece === 5) process.send?.({ isWriting: true })
    await new Promise(setImmediate)
  }
}
