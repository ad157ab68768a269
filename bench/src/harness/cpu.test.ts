import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { cpuOf } from './cpu.ts'

test.runIf(process.platform === 'linux')('the CPU of another process is counted', async () => {
  const burn =
    'const end = Date.now() + 200; while (Date.now() < end); console.log(process.cpuUsage())'
  const child = spawn(process.execPath, ['-e', `${burn}; setInterval(() => {}, 1000)`])
  await once(child.stdout, 'data')
  const used = await cpuOf([child.pid ?? 0])
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(used).toBeGreaterThan(20_000)
  expect(used).toBeLessThan(2_000_000)
})

test('a process that is gone counts nothing', async () => {
  expect(await cpuOf([2 ** 30])).toBe(0)
})
