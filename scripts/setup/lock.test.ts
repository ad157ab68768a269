import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'

const lock = new URL('./lock.mjs', import.meta.url).href

/** A process that takes the lock, writes in and out around a pause, and ends. */
function program(directory: string, name: string) {
  return `
    import { appendFileSync } from 'node:fs'
    import { withLock } from '${lock}'
    const log = (what) => appendFileSync('${join(directory, 'log')}', '${name} ' + what + '\\n')
    await withLock(async () => {
      log('in')
      await new Promise((resolve) => setTimeout(resolve, 50))
      log('out')
    }, '${join(directory, 'cache')}')`
}

async function run(source: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source])
  expect(await once(child, 'exit')).toEqual([0, null])
}

test('two set-ups of one folder run one after the other', async () => {
  await using directory = await temporaryDirectory()
  await Promise.all(['a', 'b', 'c'].map((name) => run(program(directory.path, name))))
  const lines = readFileSync(join(directory.path, 'log'), 'utf8').trim().split('\n')
  expect(lines).toHaveLength(6)
  for (let i = 0; i < 6; i += 2) {
    expect(lines[i + 1]).toBe(lines[i]?.replace('in', 'out'))
  }
})

test('the lock of a process that died is taken over', async () => {
  await using directory = await temporaryDirectory()
  await run(program(directory.path, 'first'))
  const dead = spawn(process.execPath, ['--version'])
  await once(dead, 'exit')
  writeFileSync(join(directory.path, 'cache', 'setup.lock'), String(dead.pid))
  await run(program(directory.path, 'second'))
  expect(readFileSync(join(directory.path, 'log'), 'utf8')).toContain('second out')
})
