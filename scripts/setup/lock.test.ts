import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { withLock } from './lock.mjs'

const lock = new URL('./lock.mjs', import.meta.url).href

/** A process that takes the lock, writes in and out around a pause, and ends. */
function program(directory: string, name: string) {
  return `
    import { appendFileSync } from 'node:fs'
    import { withLock } from '${lock}'
    const log = (what) => appendFileSync('${join(directory, 'log')}', '${name} ' + what + '\\n')
    await withLock('${join(directory, 'cache')}', async () => {
      log('in')
      await new Promise((resolve) => setTimeout(resolve, 50))
      log('out')
    })`
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

test.each([
  ['of a process that died', async () => deadPid()],
  ['that a killed process left empty', async () => ''],
  ['of a number that is another process by now', async () => '1'],
])('a lock %s is taken over', async (_what, content) => {
  await using directory = await temporaryDirectory()
  await run(program(directory.path, 'first'))
  const path = join(directory.path, 'cache', 'setup.lock')
  writeFileSync(path, await content())
  const twoHoursAgo = Date.now() / 1000 - 7_200
  utimesSync(path, twoHoursAgo, twoHoursAgo)
  await run(program(directory.path, 'second'))
  expect(readFileSync(join(directory.path, 'log'), 'utf8')).toContain('second out')
})

test('a folder that cannot be written to is an error, not a wait', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'file')
  writeFileSync(path, '')
  await expect(withLock(path, async () => {})).rejects.toMatchObject({ code: 'EEXIST' })
})

async function deadPid() {
  const dead = spawn(process.execPath, ['--version'])
  await once(dead, 'exit')
  return String(dead.pid)
}
