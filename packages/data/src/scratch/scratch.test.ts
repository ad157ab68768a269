import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { makeScratch } from './scratch.ts'

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid!
}

test('what a killed process has left is removed, and nothing else', async () => {
  await using root = await temporaryDirectory()
  const own = await makeScratch(root.path, 'runner')
  const nameFor = (pid: number, space?: string) => {
    const [first, kind, mine] = basename(own).split('-')
    return [first, kind, space ?? mine, pid, 'abcdef'].join('-')
  }
  const dead = await deadPid()
  const left = join(root.path, nameFor(dead))
  await mkdir(left)
  await writeFile(join(left, 'spill'), 'x')
  const kept = [nameFor(process.ppid), nameFor(dead, '1'), `dataagent-runner-${dead}`, 'other']
  for (const name of kept) await mkdir(join(root.path, name))
  const next = await makeScratch(root.path, 'parquet')
  const names = await readdir(root.path)
  expect(names.toSorted()).toEqual([...kept, basename(own), basename(next)].toSorted())
})

test('what another PID namespace has left long ago is removed', async () => {
  await using root = await temporaryDirectory()
  const old = join(root.path, 'dataagent-parquet-1-1-abcdef')
  await rename(await makeScratch(root.path, 'parquet'), old)
  const then = Date.now() / 1_000 - 8 * 86_400
  await utimes(old, then, then)
  const next = await makeScratch(root.path, 'parquet')
  expect(await readdir(root.path)).toEqual([basename(next)])
})
