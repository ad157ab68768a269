import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { firstLine, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { openEngine } from '../open-engine.ts'
import { familyOf, isAlive } from '../test-processes.ts'
import { readAll } from '../test-sources.ts'

const hostFile = fileURLToPath(new URL('./test-engine-host.ts', import.meta.url))

async function foldersIn(path: string): Promise<string[]> {
  return (await readdir(path)).filter((name) => name.startsWith('dataagent-runner-'))
}

test('a host that is killed leaves no runner behind, and the next one removes its folder [F19]', async () => {
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
  const [left] = await foldersIn(folder.path)
  expect(left).toBeDefined()
  await using engine = openEngine(
    { kind: 'files', folder: folder.path },
    { temporaryRoot: folder.path },
  )
  expect(await readAll(engine, 'SELECT 1')).toEqual([[1]])
  expect(await foldersIn(folder.path)).toEqual([expect.not.stringContaining(left!)])
})
