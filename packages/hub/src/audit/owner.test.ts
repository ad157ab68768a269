import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createOwnerName, isOwnerAlive, toReleasedName } from './owner.ts'

const longAgo = 60 * 60_000

test('this process is alive, however long it was silent', () => {
  expect(isOwnerAlive(createOwnerName(), longAgo)).toBe(true)
})

test('a folder that was let go of has no owner', () => {
  expect(isOwnerAlive(toReleasedName(createOwnerName()), 0)).toBe(false)
})

test('other names are none of ours', () => {
  expect(isOwnerAlive('lost+found', longAgo)).toBeUndefined()
})

test('another process is alive until it is killed', async () => {
  const child = spawn('sleep', ['60'])
  const exited = once(child, 'exit')
  const name = nameOf(child.pid!, startOf(child.pid!))
  expect(isOwnerAlive(name, longAgo)).toBe(true)
  child.kill('SIGKILL')
  await exited
  await waitFor(() => isOwnerAlive(name, 0) === false)
})

test('a process that was given the same pid later is another one', () => {
  expect(isOwnerAlive(nameOf(process.ppid, '1'), 0)).toBe(false)
})

test('a process of another machine is alive until it has been silent for two minutes', () => {
  const name = createOwnerName().replace(/^\w+/, '0123456789abcdef')
  expect(isOwnerAlive(name, 119_000)).toBe(true)
  expect(isOwnerAlive(name, 120_000)).toBe(false)
})

function nameOf(pid: number, start: string): string {
  return createOwnerName().replace(/-\d+-\d+-/, `-${pid}-${start}-`)
}

function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!
}
