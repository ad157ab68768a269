import { link, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { holds, openTestWorkspace } from './test-workspace.ts'

describe.each(holds)('moving, held by %s', (hold) => {
  test('renames files and directories', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.makeDir('a/b')
    await t.workspace.write('a/b/x', 'text')
    await t.workspace.move('a/b/x', 'y')
    await t.workspace.move('a', 'c')
    expect(await readFile(join(t.root, 'y'), 'utf8')).toBe('text')
    expect(await readdir(t.root)).toEqual(['c', 'y'])
  })

  test('replaces a file only when asked, and never a directory', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', 'one')
    await t.workspace.write('b', 'two')
    await t.workspace.makeDir('d')
    await expect(t.workspace.move('a', 'b')).rejects.toMatchObject({ code: 'conflict' })
    for (const [from, to] of [
      ['a', 'd'],
      ['d', 'a'],
    ] as const) {
      const moving = t.workspace.move(from, to, { overwrite: true })
      await expect(moving).rejects.toMatchObject({ code: 'conflict' })
    }
    await t.workspace.move('a', 'b', { overwrite: true })
    expect(await readFile(join(t.root, 'b'), 'utf8')).toBe('one')
  })

  test('a file onto itself stays', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', 'one')
    await t.workspace.move('a', './a', { overwrite: true })
    expect(await readFile(join(t.root, 'a'), 'utf8')).toBe('one')
  })

  test('a directory cannot go into itself', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.makeDir('a/b')
    const moving = t.workspace.move('a', 'a/b/c')
    await expect(moving).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('names the path that is missing or refused', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', '')
    await symlink(t.outside, join(t.root, 'link'))
    await link(join(t.outside, 'canary.txt'), join(t.root, 'hard'))
    const refusals = [
      ['none', 'b', 'not_found', 'none'],
      ['a', 'none/b', 'not_found', 'none/b'],
      ['link', 'b', 'path_denied', 'link'],
      ['hard', 'b', 'path_denied', 'hard'],
      ['a', 'link/b', 'path_denied', 'link/b'],
      ['link/canary.txt', 'b', 'path_denied', 'link/canary.txt'],
      ['a', '../b', 'path_denied', '../b'],
    ] as const
    for (const [from, to, code, named] of refusals) {
      const refusal = { code, message: expect.stringContaining(JSON.stringify(named)) }
      await expect(t.workspace.move(from, to)).rejects.toMatchObject(refusal)
      await expect(t.workspace.copy(from, to)).rejects.toMatchObject(refusal)
    }
    expect(await readdir(t.outside)).toEqual(['canary.txt'])
  })

  test('two moves the opposite way at the same time both end', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', 'one')
    await t.workspace.write('b', 'two')
    const overwrite = true
    const moves = Array.from({ length: 40 }, (_, i) =>
      i % 2 ? t.workspace.move('a', 'b', { overwrite }) : t.workspace.move('b', 'a', { overwrite }),
    )
    await Promise.allSettled(moves)
    expect(await readdir(t.root)).toHaveLength(1)
  })
})

describe.each(holds)('copying, held by %s', (hold) => {
  test('copies a file, and replaces one only when asked', async () => {
    await using t = await openTestWorkspace({ hold })
    const big = Buffer.alloc(2_500_000, 'abc')
    await t.workspace.write('a', big)
    await t.workspace.copy('a', 'b')
    expect((await readFile(join(t.root, 'b'))).equals(big)).toBe(true)
    await expect(t.workspace.copy('a', 'b')).rejects.toMatchObject({ code: 'conflict' })
    await t.workspace.write('a', 'small')
    await t.workspace.copy('a', 'b', { overwrite: true })
    expect(await readFile(join(t.root, 'b'), 'utf8')).toBe('small')
    expect(await readdir(t.root)).toEqual(['a', 'b'])
  })

  test('does not copy a directory', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.makeDir('d')
    const copying = t.workspace.copy('d', 'e')
    await expect(copying).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe.each(holds)('making directories, held by %s', (hold) => {
  test('makes those above too, and is content with what exists', async () => {
    await using t = await openTestWorkspace({ hold })
    await Promise.all(Array.from({ length: 20 }, () => t.workspace.makeDir('a/b/c')))
    await t.workspace.makeDir('a/b')
    await t.workspace.makeDir('.')
    expect(await readdir(t.root, { recursive: true })).toEqual(['a', 'a/b', 'a/b/c'])
  })

  test('goes neither through a link nor a file', async () => {
    await using t = await openTestWorkspace({ hold })
    await symlink(t.outside, join(t.root, 'link'))
    await t.workspace.write('file', '')
    await expect(t.workspace.makeDir('link/x')).rejects.toMatchObject({ code: 'path_denied' })
    await expect(t.workspace.makeDir('link')).rejects.toMatchObject({ code: 'path_denied' })
    await expect(t.workspace.makeDir('file/x')).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await readdir(t.outside)).toEqual(['canary.txt'])
  })
})
