import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createOriginNotes } from './origins.ts'
import { createWorkspaces } from './workspaces.ts'

const ada = { tenant_id: 'default', user_id: 'ada' }
const none = new Set<string>()
const web = () => new Set(['web'])
const mail = () => new Set(['mail'])

/** A workspace with files that were there before, and a shell in it. */
async function openFolder() {
  const cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const workspaces = cleanup.use(createWorkspaces({ root: path }))
  await workspaces.use(ada, async (_, folder) => {
    for (const dir of ['files/old', 'files/other']) await mkdir(join(folder, dir))
    for (const file of ['files/a', 'files/old/a', 'files/other/a']) {
      await writeFile(join(folder, file), file)
    }
    await waitFor(() => hasTicked(join(path, 'tick'), join(folder, 'files/other/a')))
  })
  return {
    ...{ root: path, workspaces },
    shell: (command: string, untrusted: Set<string>) =>
      workspaces.useFolder(ada, untrusted, async (cwd) => {
        await promisify(execFile)('/bin/sh', ['-c', command], { cwd })
      }),
    of: (...paths: string[]) => workspaces.originsOf(ada, paths),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

/** The clock of a file system stands still for some milliseconds at a time. */
async function hasTicked(tick: string, file: string): Promise<boolean> {
  await writeFile(tick, '')
  return (await stat(tick)).ctimeMs > (await stat(file)).ctimeMs
}

test.each([
  ['writes a file', 'echo x > files/new', 'files/new'],
  ['changes a file', 'echo x >> files/a', 'files/a'],
  ['copies a file with its time', 'cp -p files/a files/old/copy', 'files/old/copy'],
  ['sets back the time of a file', 'echo x > files/a; touch -d 2001-01-01 files/a', 'files/a'],
  ['moves a file', 'mv files/a files/b', 'files/b'],
  ['links a file', 'ln files/a files/b', 'files/b'],
  ['makes a folder', 'mkdir -p files/n/m; echo x > files/n/m/x', 'files/n/m/x'],
  ['moves a folder', 'mv files/old files/moved', 'files/moved/a'],
  [
    'exchanges folders',
    'mv files/old x; mv files/other files/old; mv x files/other',
    'files/old/a',
  ],
])('a shell that %s notes it, and nothing else', async (_, command, path) => {
  await using folder = await openFolder()
  await folder.shell(command, web())
  expect(await folder.of(path)).toEqual(web())
  expect(await folder.of('uploads/x')).toEqual(none)
  const left = ['files/a', 'files/old/a', 'files/other/a'].filter((file) => !command.includes(file))
  if (!command.includes('mv')) expect(await folder.of(...left)).toEqual(none)
})

test('a run that nothing doubtful has reached leaves no note', async () => {
  await using folder = await openFolder()
  await folder.shell('echo x > files/new', new Set())
  expect(await folder.of('files/new')).toEqual(none)
})

test('a shell may read any file: what it changes holds what any may hold', async () => {
  await using folder = await openFolder()
  await folder.workspaces.noteOrigins(ada, 'files/a', web())
  const untrusted = mail()
  await folder.shell('cat files/a > files/copy', untrusted)
  expect(untrusted).toEqual(new Set(['mail', 'web']))
  expect(await folder.of('files/copy')).toEqual(new Set(['mail', 'web']))
  expect(await folder.of('files/old/a')).toEqual(none)
})

test('while the shell is at work, and where its process dies, any file may be of it', async () => {
  await using folder = await openFolder()
  const place = { key: randomUUID(), origins: join(folder.root, 'notes'), live: folder.root }
  const [dying, other] = [createOriginNotes(), createOriginNotes()]
  const begun = Promise.withResolvers<void>()
  void dying.watch(place, web(), () => {
    begun.resolve()
    return new Promise(() => {})
  })
  await begun.promise
  expect(await other.of(place, ['files/other/a'])).toEqual(web())
})

test('what was changed by a command that failed is noted too', async () => {
  await using folder = await openFolder()
  await expect(folder.shell('echo x > files/new; exit 3', web())).rejects.toThrow()
  expect(await folder.of('files/new')).toEqual(web())
  expect(await folder.of('files/a')).toEqual(none)
})

test('of more changes than can be looked at the workspace as a whole is noted', async () => {
  await using folder = await openFolder()
  await folder.shell('for i in $(seq 1200); do : > files/$i; done', web())
  expect(await folder.of('files/a')).toEqual(web())
})
