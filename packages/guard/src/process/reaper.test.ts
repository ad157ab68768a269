import { type ChildProcess, spawn } from 'node:child_process'
import { waitFor } from '@dataagent/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createReaper, type ReaperKind } from './reaper.ts'
import { isAlive } from './test-processes.ts'

describe.each<ReaperKind>(['shell', 'node'])('the reaper as %s', (kind) => {
  test('kills the groups it holds and what carries its tag, and nobody else', async () => {
    const reaper = createReaper({ kind })
    const pid = reaper.pid as number
    const held = sleeper()
    const tagged = sleeper({ DATAAGENT_PROCESS_TAG: `${reaper.tag}1.` })
    const released = sleeper()
    const othersTagged = sleeper({ DATAAGENT_PROCESS_TAG: 'another.1.' })
    const oddlyNamed = await startOddlyNamed()
    for (const child of [held, released]) reaper.add(child.pid as number)
    reaper.remove(released.pid as number)
    reaper.close()
    await waitFor(() => !isAlive(pid), { timeoutMs: 20_000 })
    expect([held, tagged].map(isRunning)).toEqual([false, false])
    expect([released, othersTagged, oddlyNamed].map(isRunning)).toEqual([true, true, true])
  })

  test('one that is killed is replaced, and the next holds the same groups', async () => {
    const reaper = createReaper({ kind })
    const first = reaper.pid as number
    const held = sleeper()
    reaper.add(held.pid as number)
    process.kill(first, 'SIGKILL')
    await waitFor(() => reaper.pid !== first)
    const second = reaper.pid as number
    reaper.close()
    await waitFor(() => !isAlive(second), { timeoutMs: 20_000 })
    expect(isRunning(held)).toBe(false)
  })
})

function sleeper(env: Record<string, string> = {}): ChildProcess {
  return kept(spawn('/bin/sleep', ['600'], { detached: true, stdio: 'ignore', env }))
}

/** Its name breaks /proc's one line per process in two. */
async function startOddlyNamed(): Promise<ChildProcess> {
  const script = 'process.title = "a\\nb"; console.log("up"); setInterval(() => {}, 1000)'
  const child = kept(
    spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  await new Promise((resolve) => child.stdout?.once('data', resolve))
  return child
}

function kept(child: ChildProcess): ChildProcess {
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

function isRunning(child: ChildProcess): boolean {
  return isAlive(child.pid as number)
}
