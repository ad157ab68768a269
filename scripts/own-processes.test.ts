import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath, getuid } from 'node:process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const module = new URL('./own-processes.mjs', import.meta.url).href

test.runIf(getuid?.() === 0)(
  'what a program leaves behind ends with it, also without its session and environment',
  async () => {
    const child = run(`env -i setsid sleep 600 & echo $(ls -d /proc/[0-9]* | wc -l)`)
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    expect(code).toBe(0)
    expect(Number(output)).toBeLessThan(8)
  },
)

test('its exit code is passed on', async () => {
  expect(await once(run('exit 7'), 'exit')).toEqual([7, null])
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s reaches the program', async (signal) => {
  const child = run(`trap 'kill $!; exit 9' ${signal.slice(3)}; sleep 600 & echo up; wait`)
  await once(child.stdout, 'data')
  const exit = once(child, 'exit')
  child.kill(signal)
  expect(await exit).toEqual([9, null])
})

function run(line: string): ChildProcessByStdio<null, Readable, null> {
  const program = `
    const { runWithOwnProcesses } = await import(${JSON.stringify(module)})
    process.exit(await runWithOwnProcesses('sh', ['-c', ${JSON.stringify(line)}], process.env))
  `
  const args = ['--input-type=module', '--eval', program]
  return spawn(execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}
