import { appendFileSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAppError } from '@dataagent/schema/base'
import { mountSmallDisk } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createTestLedger, openTestWorkspace } from './test-workspace.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const MIB = 1024 * 1024
const big = 'x'.repeat(2 * MIB)

test('on a full disk a write fails with storage_full, whole, and all else goes on [F20]', async (ctx) => {
  await using disk = await mountSmallDisk({ bytes: MIB })
  if (disk === undefined) return ctx.skip('tmpfs cannot be mounted')
  const ledger = createTestLedger()
  await using workspace = await openWorkspace({ root: disk.path, ledger })
  await workspace.makeDir('tree/inner')
  await workspace.write('a', 'old')
  await workspace.write('tree/inner/b', 'old')

  for (const [verb, attempt] of Object.entries(fillingVerbs(workspace))) {
    await expect(attempt(), verb).rejects.toMatchObject({ code: 'storage_full' })
    expect(await readdir(disk.path)).toEqual(['a', 'tree'])
    expect((await workspace.read('a')).bytes.toString()).toBe('old')
    expect(ledger.used()).toBe(6)
  }

  fillUp(join(disk.path, 'filler'))
  await expect(workspace.write('new', 'x')).rejects.toMatchObject({ code: 'storage_full' })
  expect((await workspace.list()).entries.map(({ path }) => path)).toEqual(['a', 'filler', 'tree'])
  expect((await workspace.read('a')).bytes.toString()).toBe('old')
  await workspace.remove('tree', { recursive: true })
  await workspace.remove('filler')
  await workspace.write('new', 'x')
  expect(await readdir(disk.path)).toEqual(['a', 'new'])
})

test('what is on another file system is refused', async (ctx) => {
  await using t = await openTestWorkspace()
  await using disk = await mountSmallDisk({ bytes: MIB, at: join(t.root, 'disk') })
  if (disk === undefined) return ctx.skip('tmpfs cannot be mounted')
  await writeFile(join(disk.path, 'file'), 'theirs')
  await mkdir(join(disk.path, 'dir'))
  const { workspace } = t
  const recursive = true
  const attempts = [
    () => workspace.read('disk/file'),
    () => workspace.write('disk/file', ''),
    () => workspace.write('disk/new', ''),
    () => workspace.append('disk/file', ''),
    () => workspace.edit('disk/file', () => ''),
    () => workspace.list('disk'),
    () => workspace.makeDir('disk/dir'),
    () => workspace.move('disk/file', 'file'),
    () => workspace.copy('disk/file', 'file'),
    () => workspace.remove('disk', { recursive }),
    () => workspace.remove('disk/dir', { recursive }),
  ]
  for (const attempt of attempts) {
    await expect(attempt(), `${attempt}`).rejects.toSatisfy((error) =>
      isAppError(error, 'path_denied'),
    )
  }
  expect(await readdir(disk.path)).toEqual(['dir', 'file'])
  expect(await readdir(t.root)).toEqual(['disk'])
  expect(await workspace.usage()).toMatchObject({ bytes: 0, complete: false })
  await rm(join(disk.path, 'file'))
})

function fillingVerbs(workspace: Workspace): Record<string, () => Promise<unknown>> {
  return {
    write: () => workspace.write('a', big),
    'write, durable': () => workspace.write('a', big, { durable: true }),
    'write of a stream': () => workspace.write('new', pieces()),
    append: () => workspace.append('a', big),
    'append to nothing': () => workspace.append('new', big),
    edit: () => workspace.edit('a', () => big),
  }
}

async function* pieces() {
  for (let i = 0; i < 20; i++) yield Buffer.alloc(100_000)
}

function fillUp(path: string): void {
  writeFileSync(path, '')
  expect(() => {
    for (;;) appendFileSync(path, 'x'.repeat(1000))
  }).toThrow('ENOSPC')
}
