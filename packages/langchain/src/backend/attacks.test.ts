import { execFile } from 'node:child_process'
import { link, mkdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { startBackend } from './test-backend.ts'

const rig = await startBackend()
const { backend, dir, folder, put } = rig
afterAll(() => rig[Symbol.asyncDispose]())

const canary = 'canary-5d1e'
const secret = join(dir, 'workspaces', 'eve', 'files', 'secret.txt')
const outsider = join(dir, 'outside.txt')
const passwords = await readFile('/etc/passwd', 'utf8')

await mkdir(join(secret, '..'), { recursive: true })
await writeFile(secret, canary)
await writeFile(outsider, canary)
await put('files/own.txt', 'own')
const files = join(folder, 'files')
await symlink(outsider, join(files, 'link.txt'))
await symlink('../../../outside.txt', join(files, 'relative.txt'))
await symlink(join(dir, 'workspaces', 'eve'), join(files, 'door'))
await symlink('/', join(files, 'root'))
await symlink('/proc/self/fd/0', join(files, 'input'))
await symlink('loop', join(files, 'loop'))
await symlink(join(dir, 'not-yet.txt'), join(files, 'dangling.txt'))
await link(outsider, join(files, 'hard.txt'))
await promisify(execFile)('mkfifo', [join(files, 'pipe')])
const before = await rig.outside()

/** Some are names like any other to the guard, and so paths within the workspace. */
const ways = [
  // Of the host.
  ...['/etc/passwd', '//etc/passwd', '///etc/passwd', '/etc/../etc/passwd', 'file:///etc/passwd'],
  ...['/proc/self/environ', '/proc/self/root/etc/passwd', '/proc/1/environ', '/proc/self/fd/0'],
  ...['/dev/null', '/dev/stdin', '/dev/fd/0', '/dev/zero', '/sys/kernel/notes'],
  ...[outsider, secret, join(folder, 'files', 'own.txt'), `/${outsider}`],
  // Upwards.
  ...['/..', '/../..', '/../outside.txt', '../outside.txt', '../../outside.txt'],
  ...['/../eve/files/secret.txt', '/files/../../eve/files/secret.txt'],
  ...['/./../../outside.txt', '/files/./../../../outside.txt', '/a/b/../../../../outside.txt'],
  ...['/files/own.txt/../../../../outside.txt', '/files//..//..//..//outside.txt', '/.. /x'],
  ...['/.../outside.txt', '/..;/outside.txt', '/files/..', '..'],
  // Encoded.
  ...['/%2e%2e/outside.txt', '/%2e%2e%2foutside.txt', '/..%2foutside.txt', '/..%5coutside.txt'],
  ...['/%252e%252e%252foutside.txt', '/..%c0%af..%c0%afoutside.txt', '/..%00/outside.txt'],
  ...['/&#46;&#46;/outside.txt', '/\\u002e\\u002e/outside.txt', '/\\x2e\\x2e/outside.txt'],
  // Of Windows.
  ...['\\..\\outside.txt', '/files\\..\\..\\..\\outside.txt', '..\\..\\outside.txt'],
  ...['C:/outside.txt', 'C:\\outside.txt', '/C:/outside.txt', '\\\\server\\share\\x'],
  ...['/CON', '/nul.txt', '/aux', '/COM1', '/files/own.txt::$DATA'],
  // Odd letters.
  ...['/\0', '/\0/../../outside.txt', '/files/own.txt\0/../../../outside.txt', '/\ud800/x'],
  ...['/．．/outside.txt', '/‥/outside.txt', '/..∕outside.txt', '/..／outside.txt'],
  ...['/\u202e../outside.txt', '/..\u200b/outside.txt', '/\n../outside.txt', '/.\u0301./x'],
  // Homes and variables.
  ...['~/.ssh/id_rsa', '/~/x', '~root/x', '/$HOME/x', '/$PWD/../x', '/`id`', '/$(id)', '/*'],
  // Long.
  ...[`/${'a'.repeat(300)}`, `/${'a/'.repeat(3_000)}x`, `/${'../'.repeat(900)}etc/passwd`],
  // Links and what is no file.
  ...['/files/link.txt', '/files/relative.txt', '/files/hard.txt', '/files/loop', '/files/pipe'],
  ...['/files/door/files/secret.txt', '/files/door', '/files/root/etc/passwd', '/files/input'],
  ...['/files/dangling.txt', '/files/door/new.txt', '/files/root/tmp'],
  // Kept for the workspace itself, and none.
  ...['/.dataagent~tmp-1', '', ' '],
]

const rows = ways.map((path): [string, string] => [path.slice(0, 60), path])

async function expectOutsideUnchanged(): Promise<void> {
  expect(await rig.outside()).toEqual(before)
  expect(await readFile('/etc/passwd', 'utf8')).toBe(passwords)
}

/** With bytes as the text that they are. */
function toText(results: unknown[]): string {
  return JSON.stringify(results, (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  )
}

// All are looked at before any is written: some are paths within the workspace.
test.each(rows)('%j shows nothing that is outside [D32.6] [D33.4]', async (_, path) => {
  const read = await backend.read(path)
  const downloads = await backend.downloadFiles!([path])
  const others = [
    await backend.readRaw(path),
    await backend.ls(path),
    await backend.grep(canary, path),
    await backend.glob('**/*.txt', path),
  ]
  expect(read).toEqual({ error: expect.any(String) })
  expect(downloads).toEqual([{ path, content: null, error: expect.any(String) }])
  expect(toText(others)).not.toMatch(new RegExp(`${canary}|root:x:0|secret\\.txt","is_dir`))
})

test.each(rows)('%j changes nothing that is outside [D32.6] [D33.4]', async (_, path) => {
  await backend.edit(path, canary, 'stolen')
  await backend.edit(path, 'root', 'stolen', true)
  await backend.write(path, 'stolen')
  await backend.uploadFiles!([[path, Buffer.from('stolen')]])
  await expectOutsideUnchanged()
})

test.each(rows)('to delete %j takes nothing from outside [D32.6]', async (_, path) => {
  await backend.delete!(path)
  await expectOutsideUnchanged()
})

test('there are more than forty ways', () => {
  expect(new Set(ways).size).toBeGreaterThan(40)
})

test('a refusal names what is allowed, and no folder of the host [D33.4]', async () => {
  const { error } = await backend.read('/../eve/files/secret.txt')
  expect(error).toContain('inside the workspace')
  expect(error).not.toContain(dir)
})

test.each(['**', '../**', '/../**', '../../**/*.txt', '{..,.}/**', '/etc/*', '**/../../*'])(
  'the pattern %s finds only what is inside',
  async (pattern) => {
    const { files: found = [] } = await backend.glob(pattern)
    for (const { path } of found) {
      expect(await readFile(join(folder, path), 'utf8')).not.toBe(canary)
    }
    expect((await backend.grep(canary, '/', pattern)).matches).toEqual([])
  },
)

test('a folder and a link that take turns under one name lead nobody out', async () => {
  const base = join(files, 'swap')
  await mkdir(`${base}.real`)
  await writeFile(join(`${base}.real`, 'secret.txt'), 'own')
  let isOver = false
  const swapping = (async () => {
    while (!isOver) {
      await rename(`${base}.real`, base)
      await rename(base, `${base}.real`)
      await symlink(join(secret, '..'), base)
      await unlink(base)
    }
  })()
  for (let round = 0; round < 60; round++) {
    const [read] = await Promise.all([
      backend.read('/files/swap/secret.txt'),
      backend.edit('/files/swap/secret.txt', canary, 'stolen'),
    ])
    expect(read.content).not.toBe(canary)
  }
  isOver = true
  await swapping
  expect(await readFile(secret, 'utf8')).toBe(canary)
})
