import { link, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { holds, openTestWorkspace } from './test-workspace.ts'

describe.each(holds)('listing, held by %s', (hold) => {
  test('gives kind, size and time of what is there, by name', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.makeDir('files/deep')
    const { mtimeMs } = await t.workspace.write('files/b.txt', '12345')
    await symlink(t.outside, join(t.root, 'files', 'link'))
    await link(join(t.outside, 'canary.txt'), join(t.root, 'files', 'hard'))
    const { entries, truncated } = await t.workspace.list('files')
    expect(truncated).toBe(false)
    expect(entries.map(({ path, kind, size }) => [path, kind, size])).toEqual([
      ['b.txt', 'file', 5],
      ['deep', 'dir', 0],
      ['hard', 'other', 0],
      ['link', 'link', 0],
    ])
    expect(entries[0]?.mtimeMs).toBe(mtimeMs)
  })

  test('gives the tree, without going through links', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.makeDir('a/b/c')
    await t.workspace.write('a/b/c/x', '')
    await symlink(t.outside, join(t.root, 'a', 'out'))
    await symlink('..', join(t.root, 'a', 'loop'))
    const { entries } = await t.workspace.list('.', { recursive: true })
    expect(entries.map(({ path }) => path)).toEqual([
      'a',
      'a/b',
      'a/b/c',
      'a/b/c/x',
      'a/loop',
      'a/out',
    ])
  })

  test('says when there is more than the caps allow', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.makeDir('a/b/c')
    for (const name of ['x', 'y', 'z']) await t.workspace.write(name, '')
    const few = await t.workspace.list('.', { maxEntries: 2 })
    expect([few.entries.length, few.truncated]).toEqual([2, true])
    const all = await t.workspace.list('.', { maxEntries: 4 })
    expect([all.entries.length, all.truncated]).toEqual([4, false])
    const flat = await t.workspace.list('a', { recursive: true, maxDepth: 1 })
    expect([flat.entries.length, flat.truncated]).toEqual([1, true])
  })

  test('hides what is under way and counts it', async () => {
    await using t = await openTestWorkspace({ hold })
    await writeFile(join(t.root, '.dataagent~tmp-1'), '123')
    expect((await t.workspace.list()).entries).toEqual([])
    expect(await t.workspace.usage()).toMatchObject({ bytes: 3, files: 1 })
  })

  test('a link, a file or nothing cannot be listed', async () => {
    await using t = await openTestWorkspace({ hold })
    await symlink(t.outside, join(t.root, 'link'))
    await t.workspace.write('file', '')
    await expect(t.workspace.list('link')).rejects.toMatchObject({ code: 'path_denied' })
    await expect(t.workspace.list('file')).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(t.workspace.list('none')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('stops when cancelled', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', '')
    const options = { signal: AbortSignal.abort() }
    await expect(t.workspace.list('.', options)).rejects.toMatchObject({ code: 'cancelled' })
    await expect(t.workspace.usage(options)).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe.each(holds)('looking, held by %s', (hold) => {
  test('tells the root, a file, a directory, and nothing', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('file', '123')
    expect(await t.workspace.stat('.')).toMatchObject({ kind: 'dir' })
    expect(await t.workspace.stat('file')).toMatchObject({ kind: 'file', size: 3 })
    await expect(t.workspace.stat('none')).rejects.toMatchObject({ code: 'not_found' })
    const paths = ['.', 'file', 'none', 'none/x', 'file/x']
    expect(await Promise.all(paths.map(t.workspace.exists))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  test('refuses to tell about what is outside', async () => {
    await using t = await openTestWorkspace({ hold })
    await symlink(join(t.outside, 'canary.txt'), join(t.root, 'link'))
    await symlink(t.outside, join(t.root, 'dir'))
    for (const path of ['link', 'dir/canary.txt', 'dir/none', '../u10']) {
      await expect(t.workspace.stat(path)).rejects.toMatchObject({ code: 'path_denied' })
      await expect(t.workspace.exists(path)).rejects.toMatchObject({ code: 'path_denied' })
    }
  })

  test('the two spellings of an accented letter are two files', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('é'.normalize('NFC'), 'composed')
    await t.workspace.write('é'.normalize('NFD'), 'decomposed')
    expect((await t.workspace.list()).entries).toHaveLength(2)
    const { bytes } = await t.workspace.read('é'.normalize('NFC'))
    expect(bytes.toString()).toBe('composed')
  })

  test('names of 255 bytes and 60 directories deep work', async () => {
    await using t = await openTestWorkspace({ hold })
    const deep = Array.from({ length: 60 }, (_, i) => `d${i}`).join('/')
    await t.workspace.makeDir(deep)
    await t.workspace.write(`${deep}/${'n'.repeat(255)}`, 'far down')
    const { bytes } = await t.workspace.read(`${deep}/${'n'.repeat(255)}`)
    expect(bytes.toString()).toBe('far down')
  })
})

test('usage adds up all files, and says when it could not go all the way down', async () => {
  await using t = await openTestWorkspace()
  await t.workspace.makeDir('a/b')
  await t.workspace.write('x', '123')
  await t.workspace.write('a/b/y', '4567')
  expect(await t.workspace.usage()).toEqual({
    bytes: 7,
    files: 2,
    dirs: 2,
    others: 0,
    complete: true,
  })
  await mkdir(join(t.root, 'd/'.repeat(300)), { recursive: true })
  expect(await t.workspace.usage()).toMatchObject({ complete: false })
  const { files, dirs, complete } = await t.workspace.usage({ maxEntries: 1 })
  expect([files + dirs, complete]).toEqual([1, false])
})

test('a name that is not UTF-8 is listed, and removed with its directory', async () => {
  await using t = await openTestWorkspace()
  await mkdir(join(t.root, 'd'))
  await mkdir(Buffer.concat([Buffer.from(join(t.root, 'd', '/')), Buffer.from([0x66, 0xff])]))
  const { entries } = await t.workspace.list('d')
  expect(entries).toMatchObject([{ path: 'f\ufffd', kind: 'dir' }])
  await t.workspace.remove('d', { recursive: true })
  expect((await t.workspace.list()).entries).toEqual([])
})
