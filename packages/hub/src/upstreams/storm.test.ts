import { longCount, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { processesOf, serversOf } from './test-processes.ts'
import { createRig, echo, keyOf } from './test-rig.ts'
import { shell } from './test-shell-server.ts'

const users = longCount(40, 1_000)
const perProcess = 5

test(`${users} users who call servers of their own at once start ${perProcess} processes at most [F26]`, {
  timeout: longCount(30_000, 600_000),
}, async () => {
  const mark = `storm-${process.pid}-${Date.now()}`
  {
    await using rig = createRig({ limits: { perProcess, lingerMs: 4 } })
    rig.upstreams.start()
    const call = async (_: unknown, user: number) => {
      const user_id = `user${user}`
      const owner = { tenant_id: 'acme', user_id }
      rig.servers.set(user_id, { name: 'sh', command: 'sh', args: ['-c', shell, mark] }, owner)
      return rig.upstreams.call(keyOf(user_id, user_id), echo('x')).then(
        () => 'answered',
        ({ code }) => code,
      )
    }
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, serversOf(mark).length)
    }, 20)
    const ends = await Promise.all(Array.from({ length: users }, call))
    clearInterval(watch)
    expect(new Set(ends)).toEqual(new Set(['answered', 'quota_exceeded']))
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(perProcess)
    // Who comes when the storm is over is served.
    const later = () => rig.upstreams.call(keyOf('user0', 'user0'), echo('x')).then(() => true)
    await waitFor(later, { timeoutMs: 15_000, what: 'a call that is served' })
  }
  expect(processesOf(mark)).toEqual([])
})
