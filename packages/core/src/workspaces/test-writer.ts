import { connectKv } from '@dataagent/store/kv'
import { createWorkspaces } from './workspaces.ts'

// A process that writes files of 1,000 bytes into ada's workspace, over its parent's KV, until it
// is refused, and tells how many.
const [root = '', name = '', quota = ''] = process.argv.slice(2)
const kv = connectKv({ parent: process, timeoutMs: 30_000 })
await kv.ready()
const workspaces = createWorkspaces({ root, kv, quotaOf: () => Number(quota) })
let written = 0
await workspaces.use({ tenant_id: 'default', user_id: 'ada' }, async (workspace) => {
  const write = async (at: number) => {
    await workspace.write(`files/${name}-${at}`, Buffer.alloc(1_000))
    written++
  }
  await Promise.allSettled(Array.from({ length: 60 }, (_, at) => write(at)))
})
await workspaces[Symbol.asyncDispose]()
process.send?.({ written }, () => process.exit())
