import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { canHaveOwnProcesses } from './own-processes.mjs'

const module = new URL('./own-processes.mjs', import.meta.url).href
const runner = new URL('./run-program.mjs', import.meta.url).href

type Program = ChildProcessByStdio<null, Readable, null>

if (canHaveOwnProcesses()) {
  test('what a program leaves behind ends with it, also without its session and environment', async () => {
    const child = run(`env -i setsid sleep 600 & echo $(ls -d /proc/[0-9]* | wc -l)`)
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    expect(code).toBe(0)
    expect(Number(output)).toBeLessThan(8)
  })
}

test('who reads the output waits for nobody who is left, wherever it runs', async () => {
  const line = 'sleep 600 & echo pid $!; exit 7'
  const child = runScript(`
    const { runProgram } = await import(${JSON.stringify(runner)})
    process.exit(await runProgram('sh', ['-c', ${JSON.stringify(line)}], { passOn: true }))
  `)
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(code).toBe(7)
  process.kill(Number(/^pid (\d+)\n$/.exec(output)?.[1]), 'SIGKILL')
})

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

function run(line: string): Program {
  return runScript(`
    const { runWithOwnProcesses } = await import(${JSON.stringify(module)})
    process.exit(await runWithOwnProcesses('sh', ['-c', ${JSON.stringify(line)}], process.env))
  `)
}

function runScript(script: string): Program {
  const args = ['--input-type=module', '--eval', script]
  return spawn(execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}
