import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { firstLine, longCount, waitFor } from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { findByCommand } from './test-processes.ts'

const hostFile = fileURLToPath(new URL('./test-orphan-host.ts', import.meta.url))
const kills = longCount(2, 50)
/** Ten times what is promised, for a machine that has other things to do. */
const withinMs = 10_000

test(`a host killed with -9 leaves no server, and no child of one: ${kills} kills [F19]`, {
  timeout: 600_000,
}, async () => {
  for (let kill = 0; kill < kills; kill += 1) {
    const mark = String(Math.floor(Math.random() * 1e15))
    const host = startHost(mark)
    const family = () => findByCommand(mark).filter((pid) => pid !== host.pid)
    expect(await firstLine(host)).toBe('up')
    // Four servers, three of them behind a launcher, and a helper.
    expect(family().length).toBeGreaterThanOrEqual(8)
    host.kill('SIGKILL')
    await waitFor(() => family().length === 0, { timeoutMs: withinMs, what: 'all have gone' })
  }
})

test('a host that closes its connections leaves no server either', {
  timeout: 60_000,
}, async () => {
  const mark = String(Math.floor(Math.random() * 1e15))
  const host = startHost(mark, 'close')
  const ended = once(host, 'exit')
  expect(await firstLine(host)).toBe('up')
  expect(await ended).toEqual([0, null])
  expect(findByCommand(mark)).toEqual([])
})

function startHost(...args: string[]): ChildProcess {
  const all = ['--conditions=dataagent-source', hostFile, ...args]
  const host = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void host.kill('SIGKILL'))
  return host
}
