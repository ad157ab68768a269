import { once } from 'node:events'
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { longCount, temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { countDescriptors, holds, openTestWorkspace } from './test-workspace.ts'
import { openWorkspace } from './workspace.ts'

const onLinux = process.platform === 'linux'

describe.each(holds)('a workspace held by %s', (hold) => {
  test('opens through a link in the path of its root', async () => {
    await using directory = await temporaryDirectory()
    await mkdir(join(directory.path, 'real'))
    await symlink('real', join(directory.path, 'link'))
    await using workspace = await openWorkspace({ root: join(directory.path, 'link'), hold })
    await workspace.write('a', '')
    expect(await readdir(join(directory.path, 'real'))).toEqual(['a'])
  })

  test('does not open on nothing, a file or a relative path', async () => {
    await using directory = await temporaryDirectory()
    const root = join(directory.path, 'file')
    await expect(openWorkspace({ root, hold })).rejects.toMatchObject({ code: 'unavailable' })
    await writeFile(root, '')
    await expect(openWorkspace({ root, hold })).rejects.toMatchObject({ code: 'unavailable' })
    await expect(openWorkspace({ root: 'relative', hold })).rejects.toMatchObject({
      code: 'config_invalid',
    })
  })

  test('lets running verbs end before it closes, and refuses new ones', async () => {
    await using t = await openTestWorkspace({ hold })
    const writes = Array.from({ length: 20 }, (_, i) => t.workspace.write(`f${i}`, 'x'))
    const closed = t.workspace[Symbol.asyncDispose]()
    await expect(t.workspace.read('f0')).rejects.toMatchObject({ code: 'unavailable' })
    await closed
    expect((await Promise.allSettled(writes)).every(({ status }) => status === 'fulfilled')).toBe(
      true,
    )
    expect(await readdir(t.root)).toHaveLength(20)
  })

  test('throws AppErrors when its root has gone', async () => {
    await using t = await openTestWorkspace({ hold })
    await rm(t.root, { recursive: true })
    for (const verb of [t.workspace.list, t.workspace.usage, () => t.workspace.write('a', '')]) {
      const outcome = await verb().catch((error) => error)
      if (outcome instanceof Error) expect(outcome).toMatchObject({ name: 'AppError' })
    }
    await expect(t.workspace.write('a', '')).rejects.toMatchObject({ code: 'not_found' })
  })
})

test.runIf(onLinux)(
  'is held by descriptor here, so follows its root when that is moved',
  async () => {
    await using t = await openTestWorkspace()
    await rename(t.root, `${t.root}-moved`)
    await symlink(t.outside, t.root)
    await t.workspace.write('a', '')
    expect(t.workspace.hold).toBe('descriptor')
    expect(await readdir(`${t.root}-moved`)).toEqual(['a'])
    expect(await readdir(t.outside)).toEqual(['canary.txt'])
  },
)

test.runIf(onLinux)(
  'no verb leaves a descriptor open, done or refused',
  async () => {
    await using t = await openTestWorkspace({ maxWriteBytes: 100 })
    await symlink(t.outside, join(t.root, 'link'))
    const rounds = longCount(30, 2_000)
    await everyVerb(t.workspace)
    const before = await countDescriptors()
    // Node closes a forgotten descriptor when its object is collected, and warns.
    const warnings: Error[] = []
    const collect = (warning: Error) => void warnings.push(warning)
    process.on('warning', collect)
    for (let i = 0; i < rounds; i++) await everyVerb(t.workspace)
    process.off('warning', collect)
    expect(await countDescriptors()).toBe(before)
    expect(warnings).toEqual([])
  },
  longCount(30_000, 600_000),
)

/** Each verb on good paths and bad, one after another and together. */
async function everyVerb(workspace: Awaited<ReturnType<typeof openWorkspace>>): Promise<void> {
  const recursive = true
  await workspace.makeDir('d/e')
  for (const path of ['d/e/a', 'd/e', 'link', 'link/canary.txt', '../x', 'd/none/x', 'd/e/a/x']) {
    const outcomes = await Promise.allSettled([
      workspace.write(path, 'text'),
      workspace.write(path, 'text', { expect: { sha256: '' } }),
      workspace.write(path, 'x'.repeat(101)),
      workspace.append(path, 'x'.repeat(30)),
      workspace.edit(path, () => 'text'),
      workspace.read(path),
      workspace.read(path, { maxBytes: 0 }),
      workspace.stream(path).then(({ stream }) => once(stream.resume(), 'close')),
      workspace.list(path),
      workspace.list(path, { recursive, maxEntries: 0 }),
      workspace.stat(path),
      workspace.exists(path),
      workspace.copy(path, 'd/copy', { overwrite: true }),
      workspace.move(path, 'd/moved', { overwrite: true }),
      workspace.makeDir(`${path}/sub`),
    ])
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true)
  }
  await workspace.usage()
  await workspace.sweep()
  await workspace.remove('d/moved').catch(() => {})
  await workspace.remove('d', { recursive })
}
