import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { firstLine, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { familyOf, isAlive } from '../test-processes.ts'

const hostFile = fileURLToPath(new URL('./test-engine-host.ts', import.meta.url))

test('a host that is killed leaves no runner behind [F19]', async () => {
  await using folder = await temporaryDirectory()
  const args = ['--conditions=dataagent-source', hostFile, folder.path]
  const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await firstLine(host)
  const family = await familyOf(host.pid!)
  expect(family.length).toBeGreaterThan(0)
  host.kill('SIGKILL')
  await waitFor(async () => (await Promise.all(family.map(isAlive))).every((alive) => !alive), {
    timeoutMs: 20_000,
  })
})
