import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMemoryKv, serveKv } from '@dataagent/store/kv'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createWorkspaces } from './workspaces.ts'

test('processes that write at the same time never pass the quota together [D33.6]', async () => {
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
