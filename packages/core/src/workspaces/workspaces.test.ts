import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMemoryKv } from '@dataagent/store/kv'
import { createFakeClock, temporaryDirectory } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WorkspaceOwner, WorkspacesOptions } from './contract.ts'
import { placeOf } from './place.ts'
import { createWorkspaces } from './workspaces.ts'

const ada: WorkspaceOwner = { tenant_id: 'default', user_id: 'ada' }

async function openRig(options: Partial<WorkspacesOptions> = {}) {
  const stack = new AsyncDisposableStack()
  const { path } = stack.use(await temporaryDirectory())
  const root = join(path, 'workspaces')
  const workspaces = stack.use(createWorkspaces({ root, ...options }))
  return { root, workspaces, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('a workspace is made at first use with files, uploads and outputs [D33.1] [D33.2]', async () => {
  await using rig = await openRig()
  expect(await rig.workspaces.usage(ada)).toMatchObject({ status: 'none', left_bytes: 1024 ** 3 })
  await rig.workspaces.use(ada, async (workspace, folder) => {
    expect(folder).toBe(join(rig.root, 'ada'))
    const { entries } = await workspace.list()
    expect(entries.map(({ path }) => path)).toEqual(['files', 'outputs', 'uploads'])
  })
  expect((await stat(join(rig.root, 'ada'))).mode & 0o777).toBe(0o700)
})

test('what leads out of it is refused with a permission error [D33.4]', async () => {
  await using rig = await openRig()
  await writeFile(join(rig.root, '..', 'secret'), 'secret')
  await rig.workspaces.use({ ...ada, user_id: 'eve' }, (eve) => eve.write('files/own', 'eve'))
  await rig.workspaces.use(ada, async (workspace, folder) => {
    await symlink(join(rig.root, 'eve'), join(folder, 'files', 'door'))
    for (const path of [
      '../eve/files/own',
      '/etc/passwd',
      'files/door/files/own',
      '../../secret',
    ]) {
      await expect(workspace.read(path)).rejects.toMatchObject({ code: 'path_denied' })
      await expect(workspace.write(path, 'x')).rejects.toMatchObject({ code: 'path_denied' })
    }
  })
  expect(await readFile(join(rig.root, 'eve', 'files', 'own'), 'utf8')).toBe('eve')
})

test('no two owners share a folder, and none is inside that of another [D32.4]', () => {
  const odd = fc.constantFrom(
    'ada',
    'Ada',
    'default',
    '@ada',
    'files',
    '.archives',
    '..',
    'a/b',
    'ａｄａ',
  )
  const id = fc
    .oneof(odd, fc.string({ minLength: 1, unit: 'binary' }))
    .filter((text) => text !== '*')
  const owner = fc.record({ tenant_id: id, user_id: id })
  fc.assert(
    fc.property(owner, owner, (a, b) => {
      const [one, other] = [a, b].map((each) => placeOf('/w', each, 'default').live.toLowerCase())
      const isSame = a.tenant_id === b.tenant_id && a.user_id === b.user_id
      expect(one === other).toBe(isSame)
      expect(`${one}/`.startsWith(`${other}/`)).toBe(isSame)
      expect(one).toMatch(/^\/w\/(@[a-z0-9_~-]+\/)?[a-z0-9_~-]+$/)
    }),
    { numRuns: 500 },
  )
})

test.each(['', '*'])('nobody in particular (%j) has no workspace', async (user_id) => {
  await using rig = await openRig()
  await expect(rig.workspaces.use({ ...ada, user_id }, async () => {})).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('a write over the quota is refused, says how much is used and what to do [D33.5] [D33.6]', async () => {
  await using rig = await openRig({ quotaOf: () => 2048 })
  await rig.workspaces.use(ada, async (workspace) => {
    await workspace.write('files/a', Buffer.alloc(1536))
    await expect(workspace.write('files/b', Buffer.alloc(1024))).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringMatching(/1.5 KiB of 2 KiB are used.*1 KiB more.*Delete files/s),
    })
    expect(await workspace.exists('files/b')).toBe(false)
    await workspace.remove('files/a')
    await workspace.write('files/b', Buffer.alloc(1024))
  })
  expect(await rig.workspaces.usage(ada)).toMatchObject({
    ...{ status: 'active', bytes: 1024, left_bytes: 1024, files: 1, quota_bytes: 2048 },
  })
})

test('two processes on one KV never exceed the quota together [D33.6]', async () => {
  await using kv = createMemoryKv()
  await using rig = await openRig({ kv, quotaOf: () => 10_000 })
  await using other = createWorkspaces({ root: rig.root, kv, quotaOf: () => 10_000 })
  const writes = Array.from({ length: 100 }, (_, at) =>
    [rig.workspaces, other][at % 2]!.use(ada, (workspace) =>
      workspace.write(`files/${at}`, Buffer.alloc(1000)),
    ),
  )
  const outcomes = await Promise.allSettled(writes)
  const passed = outcomes.filter(({ status }) => status === 'fulfilled')
  expect(passed).toHaveLength(10)
  expect(await readdir(join(rig.root, 'ada', 'files'))).toHaveLength(10)
  expect(await other.usage(ada)).toMatchObject({ bytes: 10_000, left_bytes: 0 })
})

test('what is there when counting begins counts, and what a shell wrote after a recount', async () => {
  await using rig = await openRig({ quotaOf: () => 4096 })
  await mkdir(join(rig.root, 'ada', 'files'), { recursive: true })
  await writeFile(join(rig.root, 'ada', 'files', 'old'), Buffer.alloc(3000))
  await rig.workspaces.use(ada, async (workspace, folder) => {
    await expect(workspace.write('files/new', Buffer.alloc(2000))).rejects.toThrow('full')
    await workspace.write('files/new', Buffer.alloc(1000))
    await writeFile(join(folder, 'files', 'old'), '')
  })
  await rig.workspaces.recount(ada)
  expect(await rig.workspaces.usage(ada)).toMatchObject({ bytes: 1000 })
})

test('a store that is away refuses writes and loses no count', async () => {
  let isAway = false
  await using kv = createMemoryKv()
  const add: typeof kv.add = async (...args) => {
    if (isAway) throw Object.assign(new Error('away'), { code: 'store_unavailable' })
    return await kv.add(...args)
  }
  await using rig = await openRig({ kv: { add, acquireLease: kv.acquireLease.bind(kv) } })
  await rig.workspaces.use(ada, async (workspace) => {
    await workspace.write('files/a', 'abcd')
    isAway = true
    await expect(workspace.write('files/b', 'ab')).rejects.toThrow()
    await workspace.remove('files/a')
    isAway = false
    await workspace.write('files/c', 'abc')
  })
  expect(await rig.workspaces.usage(ada)).toMatchObject({ bytes: 3 })
})

test('workspaces that nobody uses are closed, and opened again when used', async () => {
  const clock = createFakeClock()
  await using rig = await openRig({ clock, maxIdleOpen: 2, closeAfterMs: 1000 })
  for (const user_id of ['a', 'b', 'c']) {
    await rig.workspaces.use({ ...ada, user_id }, (workspace) =>
      workspace.write('files/x', user_id),
    )
  }
  expect(clock.pending()).toBe(2)
  await clock.advanceAsync(1000)
  expect(clock.pending()).toBe(0)
  const read = await rig.workspaces.use({ ...ada, user_id: 'a' }, (it) => it.read('files/x'))
  expect(read.bytes.toString()).toBe('a')
})

test('one who looks at a workspace from outside neither uses nor brings it back', async () => {
  const clock = createFakeClock()
  await using rig = await openRig({ clock })
  const { workspaces } = rig
  const eve = { tenant_id: 'default', user_id: 'eve' }
  expect(await workspaces.glance(eve)).toMatchObject({ status: 'none', bytes: 0, used_at: null })
  await workspaces.use(eve, (workspace) => workspace.write('files/a', 'hello'))
  const used_at = clock.now()
  clock.advance(31 * 86_400_000)
  expect(await workspaces.glance(eve)).toMatchObject({ status: 'active', bytes: 5, used_at })
  expect(await workspaces.sweep()).toMatchObject({ archived: 1 })
  const archived = await workspaces.glance(eve)
  expect(archived).toMatchObject({ status: 'archived', used_at: expect.any(Number) })
  expect(archived.bytes).toBeGreaterThan(0)
  expect(await workspaces.usage(eve)).toMatchObject({ status: 'archived' })
})

test('what cannot be measured wholly is unknown to one who looks, and is not counted', async () => {
  const kv = createMemoryKv()
  await using rig = await openRig({ kv })
  const { workspaces, root } = rig
  const deep = join(root, 'deep', 'files', ...Array.from({ length: 300 }, () => 'd'))
  await mkdir(deep, { recursive: true })
  await writeFile(join(root, 'deep', 'files', 'a'), 'hello')
  await writeFile(join(root, 'none'), 'no folder')
  for (const user_id of ['deep', 'none']) {
    const seen = await workspaces.glance({ tenant_id: 'default', user_id })
    expect(seen).toMatchObject({ status: 'unknown', bytes: null, quota_bytes: 1024 ** 3 })
    const { key } = placeOf(root, { tenant_id: 'default', user_id }, 'default')
    expect((await kv.add(`workspace:bytes:${key}`, 0)).value).toBe(0)
  }
})

test('one who has left measures no further', async () => {
  await using rig = await openRig({ kv: createMemoryKv() })
  await mkdir(join(rig.root, 'ada', 'files'), { recursive: true })
  const glance = rig.workspaces.glance(ada, { signal: AbortSignal.abort() })
  await expect(glance).rejects.toMatchObject({ code: 'cancelled' })
})
