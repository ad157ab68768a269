import { execFileSync } from 'node:child_process'
import { link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFakeClock } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { canary, holds, openTestWorkspace } from './test-workspace.ts'

describe.each(holds)('removing, held by %s', (hold) => {
  test('takes a file, an empty directory, and a tree when asked', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.makeDir('tree/a/b')
    await t.workspace.makeDir('empty')
    await t.workspace.write('tree/a/b/x', '')
    await t.workspace.write('file', '')
    await t.workspace.remove('file')
    await t.workspace.remove('empty')
    await expect(t.workspace.remove('tree')).rejects.toMatchObject({ code: 'conflict' })
    await t.workspace.remove('tree', { recursive: true })
    expect(await readdir(t.root)).toEqual([])
  })

  test('takes links and special files, never what they lead to', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.makeDir('d')
    await symlink(t.outside, join(t.root, 'd', 'dir'))
    await symlink(join(t.outside, 'canary.txt'), join(t.root, 'd', 'file'))
    await link(join(t.outside, 'canary.txt'), join(t.root, 'd', 'hard'))
    execFileSync('mkfifo', [join(t.root, 'd', 'fifo')])
    await symlink(t.outside, join(t.root, 'link'))
    await t.workspace.remove('link', { recursive: true })
    await t.workspace.remove('d', { recursive: true })
    expect(await readdir(t.root)).toEqual([])
    expect(await readFile(join(t.outside, 'canary.txt'), 'utf8')).toBe(canary)
  })

  test('refuses the root, and a path through a link', async () => {
    await using t = await openTestWorkspace({ hold })
    await symlink(t.outside, join(t.root, 'link'))
    const recursive = true
    const refusals = [
      ['.', 'invalid_request'],
      ['link/canary.txt', 'path_denied'],
      ['../u10', 'path_denied'],
      ['none', 'not_found'],
    ] as const
    for (const [path, code] of refusals) {
      await expect(t.workspace.remove(path, { recursive })).rejects.toMatchObject({ code })
    }
    expect(await readdir(t.outside)).toEqual(['canary.txt'])
  })

  test('takes a tree deeper than a removal holds open', async () => {
    await using t = await openTestWorkspace({ hold })
    for (let deep = 'deep'; deep.length < 600; deep += '/d') {
      await mkdir(join(t.root, deep))
      await writeFile(join(t.root, deep, 'f'), '')
    }
    await t.workspace.remove('deep', { recursive: true })
    expect(await readdir(t.root)).toEqual([])
  })
})

describe.each(holds)('sweeping, held by %s', (hold) => {
  test('takes leftovers that are old enough, wherever they are, and nothing else', async () => {
    const clock = createFakeClock({ now: Date.now() })
    await using t = await openTestWorkspace({ hold, clock })
    await t.workspace.makeDir('d')
    await t.workspace.makeDir('trash/inner')
    await t.workspace.write('d/mine', '')
    await writeFile(join(t.root, '.dataagent~tmp-1'), 'x')
    await writeFile(join(t.root, 'd', '.dataagent~tmp-2'), 'x')
    execFileSync('mv', ['trash', 'd/.dataagent~tmp-3'], { cwd: t.root })
    expect(await t.workspace.sweep()).toEqual({ removed: 0 })
    clock.jump(3_700_000)
    expect(await t.workspace.sweep()).toEqual({ removed: 3 })
    expect(await readdir(t.root, { recursive: true })).toEqual(['d', 'd/mine'])
  })

  test('leaves a write that is under way alone', async () => {
    const clock = createFakeClock({ now: Date.now() + 10_000_000 })
    await using t = await openTestWorkspace({ hold, clock })
    const { promise: later, resolve: goOn } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    async function* slow() {
      yield Buffer.from('one')
      begin()
      await later
      yield Buffer.from('two')
    }
    const writing = t.workspace.write('a', slow())
    await begun
    expect(await t.workspace.sweep({ olderThanMs: 0 })).toEqual({ removed: 0 })
    goOn()
    await writing
    expect(await readFile(join(t.root, 'a'), 'utf8')).toBe('onetwo')
  })
})
