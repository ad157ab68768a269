import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMemoryKv, serveKv } from '@dataagent/store/kv'
import { longCount, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createWorkspaces } from './workspaces.ts'

test('processes that write at the same time never pass the quota together [D33.6] [T54]', async () => {
  await using place = await temporaryDirectory()
  await using kv = createMemoryKv()
  const program = fileURLToPath(new URL('./test-writer.ts', import.meta.url))
  const written = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const child = fork(program, [place.path, name, '50000'], {
        execArgv: ['--conditions=dataagent-source'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      serveKv({ kv, worker: child })
      const told = Promise.withResolvers<number>()
      child.on('message', (message: { written?: number }) => {
        if (message.written !== undefined) told.resolve(message.written)
      })
      const [[code], count] = await Promise.all([once(child, 'exit'), told.promise])
      expect(code).toBe(0)
      return count
    }),
  )
  expect(written[0]! + written[1]!).toBe(50)
  expect(await readdir(join(place.path, 'ada', 'files'))).toHaveLength(50)
  await using workspaces = createWorkspaces({ root: place.path, kv, quotaOf: () => 50_000 })
  const usage = await workspaces.usage({ tenant_id: 'default', user_id: 'ada' })
  expect(usage).toMatchObject({ bytes: 50_000, left_bytes: 0 })
})

const kills = longCount(2, 100)

test(
  `after ${kills} processes were killed while they wrote, what is used is what is there [T54]`,
  async () => {
    await using place = await temporaryDirectory()
    await using kv = createMemoryKv()
    const quota = 1_000_000_000
    const ada = { tenant_id: 'default', user_id: 'ada' }
    await using workspaces = createWorkspaces({ root: place.path, kv, quotaOf: () => quota })
    await workspaces.use(ada, (workspace) => workspace.write('files/kept', Buffer.alloc(7_000)))
    for (let kill = 0; kill < kills; kill += 1) {
      await writeAndKill(place.path, { kv, quota })
      // What was reserved for what never came is still held; half a file is nobody's.
      expect((await workspaces.usage(ada)).bytes).toBeGreaterThan(7_000)
      await workspaces.use(ada, (workspace) => workspace.sweep({ olderThanMs: 0 }))
      await workspaces.recount(ada)
      expect(await workspaces.usage(ada)).toMatchObject({ bytes: 7_000, left_bytes: quota - 7_000 })
      expect(await readdir(join(place.path, 'ada', 'files'))).toEqual(['kept'])
    }
  },
  longCount(30_000, 600_000),
)

async function writeAndKill(
  root: string,
  { kv, quota }: { kv: ReturnType<typeof createMemoryKv>; quota: number },
): Promise<void> {
  const program = fileURLToPath(new URL('./test-endless-writer.ts', import.meta.url))
  const child = fork(program, [root, String(quota)], {
    execArgv: ['--conditions=dataagent-source'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  serveKv({ kv, worker: child })
  const writing = Promise.withResolvers<void>()
  child.on('message', (message: { isWriting?: true }) => {
    if (message.isWriting) writing.resolve()
  })
  await writing.promise
  child.kill('SIGKILL')
  await once(child, 'exit')
}
