import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createFakeClock, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createWorkspaces } from './workspaces.ts'

const ada = { tenant_id: 'default', user_id: 'ada' }
const bob = { tenant_id: 'default', user_id: 'bob' }
const day = 86_400_000
const longAgo = new Date(2001, 0, 1)

/** A folder with a file of its own, last changed long ago, which is given to ada alone. */
async function openRig() {
  const cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const [root, folder] = [join(path, 'workspaces'), join(path, 'project')]
  await mkdir(folder)
  await writeFile(join(folder, 'notes.md'), 'mine')
  await utimes(folder, longAgo, longAgo)
  const clock = createFakeClock()
  const folderOf = ({ user_id }: typeof ada) => (user_id === 'ada' ? folder : undefined)
  const quotaOf = () => 1
  const open = () => cleanup.use(createWorkspaces({ root, clock, folderOf, quotaOf }))
  return {
    ...{ root, folder, clock, open, workspaces: open() },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

test('a folder that is given is used as it is: nothing is made in it, nor is it marked', async () => {
  await using rig = await openRig()
  await rig.workspaces.use(ada, async (workspace, folder) => {
    expect(folder).toBe(rig.folder)
    expect((await workspace.read('notes.md')).bytes.toString()).toBe('mine')
  })
  rig.clock.advance(day)
  await rig.workspaces.use(ada, async () => {})
  expect(await readdir(rig.folder)).toEqual(['notes.md'])
  expect((await stat(rig.folder)).mtime).toEqual(longAgo)
})

test('no quota holds for it, and its usage is that of its disk', async () => {
  await using rig = await openRig()
  await rig.workspaces.use(ada, (workspace) => workspace.write('big', 'x'.repeat(10_000)))
  await rig.workspaces.useFolder(ada, new Set(), async (folder, bounds) => {
    expect(bounds).toBeUndefined()
    await writeFile(join(folder, 'bigger'), 'x'.repeat(20_000))
  })
  await rig.workspaces.recount(ada)
  const usage = await rig.workspaces.usage(ada)
  expect(usage).toMatchObject({ status: 'active', files: 0, dirs: 0 })
  expect(usage.left_bytes).toBeGreaterThan(1)
  expect(usage.quota_bytes).toBe(usage.bytes + usage.left_bytes)
  expect(await rig.workspaces.glance(ada)).toMatchObject({
    ...{ status: 'active', quota_bytes: expect.any(Number), used_at: expect.any(Number) },
  })
})

test('it is never archived, however long nobody uses it', async () => {
  await using rig = await openRig()
  await rig.workspaces.use(ada, async () => {})
  await rig.workspaces.noteOrigins(ada, 'notes.md', new Set(['web']))
  rig.clock.advance(400 * day)
  expect(await rig.workspaces.sweep()).toEqual({ archived: 0, recovered: 0, kept: [] })
  expect(await readFile(join(rig.folder, 'notes.md'), 'utf8')).toBe('mine')
})

test('notes of whose output its files hold are kept outside of it, by the folder', async () => {
  await using rig = await openRig()
  await rig.workspaces.noteOrigins(ada, 'notes.md', new Set(['web']))
  const shell = (command: string) =>
    rig.workspaces.useFolder(ada, new Set(['mail']), (cwd) =>
      promisify(execFile)('/bin/sh', ['-c', command], { cwd }),
    )
  await shell('echo x > made')
  expect((await readdir(rig.folder)).sort()).toEqual(['made', 'notes.md'])
  expect((await readdir(rig.root)).sort()).toEqual(['.given'])
  const again = rig.open()
  expect(await again.originsOf(ada, ['notes.md'])).toEqual(new Set(['web']))
  expect(await again.originsOf(ada, ['made'])).toEqual(new Set(['mail', 'web']))
})

test('where it has gone that is told, and it is not made again', async () => {
  await using rig = await openRig()
  await rig.workspaces.use(ada, async () => {})
  await rm(rig.folder, { recursive: true })
  await expect(rig.workspaces.use(ada, async () => {})).rejects.toMatchObject({
    ...{ code: 'unavailable', message: expect.stringContaining('not there') },
  })
  await mkdir(rig.folder)
  await rig.workspaces.use(ada, (workspace) => workspace.write('again', ''))
  expect(await readdir(rig.folder)).toEqual(['again'])
})

test('others have a workspace of ours', async () => {
  await using rig = await openRig()
  await rig.workspaces.use(bob, async (_, folder) => expect(folder).toBe(join(rig.root, 'bob')))
  expect((await readdir(join(rig.root, 'bob'))).sort()).toEqual(['files', 'outputs', 'uploads'])
})
