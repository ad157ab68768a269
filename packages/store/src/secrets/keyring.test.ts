import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { longCount, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createKeyCheck, verifyKeyCheck } from './key-check.ts'
import { ensureKeyFile, parseMasterKeys, readKeyFile } from './key-file.ts'
import { createKeyring } from './keyring.ts'
import { openKeyring } from './open-keyring.ts'

const invalid = { code: 'config_invalid' }

test('master keys are read from text: current first, then older', () => {
  const keys = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const [first, second, third] = keys.map((key) => key.toString('base64'))
  const url = keys[1]?.toString('base64url')
  expect(parseMasterKeys(`${first}\n${second},${third}\n`)).toEqual(keys)
  expect(parseMasterKeys(`${first} ${url}`)).toEqual(keys.slice(0, 2))
})

test.each([
  ['too short', randomBytes(31).toString('base64')],
  ['too long', randomBytes(33).toString('base64')],
  ['hexadecimal', randomBytes(32).toString('hex')],
  ['a pass phrase', 'correct horse battery staple correct horse b'],
  ['not base64', `${'!'.repeat(43)}=`],
])('refuses a master key that is %s, without showing it', (_, text) => {
  const error = catchError(() => parseMasterKeys(text))
  expect(error).toMatchObject(invalid)
  expect(inspect(error)).not.toContain(text.slice(0, 12))
})

test('refuses no key, and the same key twice', () => {
  const key = randomBytes(32)
  expect(catchError(() => createKeyring([]))).toMatchObject(invalid)
  expect(catchError(() => createKeyring(parseMasterKeys('  ')))).toMatchObject(invalid)
  expect(catchError(() => createKeyring([key, key]))).toMatchObject(invalid)
})

test('a keyring shows nothing of its keys when printed', () => {
  const key = randomBytes(32)
  const keyring = createKeyring([key])
  keyring.derive(keyring.current, 'token')
  const printed = inspect(keyring, { depth: 9, showHidden: true }) + JSON.stringify(keyring)
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    expect(printed).not.toContain(key.toString(encoding).slice(0, 16))
  }
})

test('each use and each key has a key of its own', () => {
  const keyring = createKeyring([randomBytes(32), randomBytes(32)])
  const derived = keyring.kids.flatMap((kid) =>
    (['wrap', 'api-key', 'token', 'key-check'] as const).map((use) =>
      keyring.derive(kid, use)?.export().toString('hex'),
    ),
  )
  expect(new Set(derived).size).toBe(8)
  expect(keyring.derive('unknown', 'wrap')).toBeUndefined()
})

test.each([0o644, 0o640, 0o604, 0o660, 0o620])(
  'refuses a key file of mode %o and says what to do [T60]',
  async (mode) => {
    await using directory = await temporaryDirectory()
    const path = join(directory.path, 'key')
    await ensureKeyFile(path)
    await chmod(path, mode)
    await expect(readKeyFile(path)).rejects.toMatchObject(invalid)
    await expect(readKeyFile(path)).rejects.toThrow(`chmod 600 ${path}`)
    const link = join(directory.path, 'link')
    await symlink(path, link)
    await expect(readKeyFile(link)).rejects.toThrow('chmod 600')
  },
)

test.each([0o600, 0o400])('reads a key file of mode %o', async (mode) => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'key')
  const [key] = await ensureKeyFile(path)
  await chmod(path, mode)
  expect(await readKeyFile(path)).toEqual([key])
})

test('a key file that is missing, a folder, or something else is refused by name', async () => {
  await using directory = await temporaryDirectory()
  const big = join(directory.path, 'big')
  await writeFile(big, 'A'.repeat(20_000), { mode: 0o600 })
  for (const path of [join(directory.path, 'none'), directory.path, big]) {
    await expect(readKeyFile(path)).rejects.toMatchObject(invalid)
    await expect(readKeyFile(path)).rejects.toThrow(path)
  }
})

test('the first start makes a key file for its owner only; the next start reads the same [T60]', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'new', 'folder', 'master.key')
  const first = await ensureKeyFile(path)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await ensureKeyFile(path)).toEqual(first)
  expect(await readdir(join(directory.path, 'new', 'folder'))).toEqual(['master.key'])
})

test('processes that start together all get the same key', async () => {
  for (let round = 0; round < longCount(1, 50); round++) {
    await using directory = await temporaryDirectory()
    const path = join(directory.path, 'master.key')
    const kids = await Promise.all(Array.from({ length: 4 }, () => keyOfNewProcess(path)))
    expect(new Set(kids)).toEqual(new Set([createKeyring(await readKeyFile(path)).current]))
    expect(await readdir(directory.path)).toEqual(['master.key'])
  }
})

test('the key check knows its key, an older one, and a wrong one', () => {
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const check = createKeyCheck(createKeyring([first]))
  expect(verifyKeyCheck(createKeyring([first]), check)).toBe('current')
  expect(verifyKeyCheck(createKeyring([second, first]), check)).toBe('older')
  for (const stored of [check, '', 'v1', check.replace(/.$/, ''), check.replace(/\.[^.]*$/, '.')]) {
    const error = catchError(() => verifyKeyCheck(createKeyring([second]), stored))
    expect(error).toMatchObject(invalid)
  }
  const altered = `${check.slice(0, -2)}${check.at(-2) === 'A' ? 'B' : 'A'}${check.at(-1)}`
  expect(catchError(() => verifyKeyCheck(createKeyring([first]), altered))).toMatchObject(invalid)
})

test('the key comes from the file, else the value, else the made file', async () => {
  await using directory = await temporaryDirectory()
  const makeAt = join(directory.path, 'made.key')
  const file = join(directory.path, 'own.key')
  const value = randomBytes(32).toString('base64')
  await ensureKeyFile(file)
  const source = { makeAt, keyCheck: undefined }
  const fromFile = await openKeyring({ ...source, file, value })
  const fromValue = await openKeyring({ ...source, value })
  expect(await readdir(directory.path)).toEqual(['own.key'])
  const made = await openKeyring(source)
  expect(await readdir(directory.path)).toEqual(['made.key', 'own.key'])
  expect(fromFile.current).toBe(createKeyring(await readKeyFile(file)).current)
  expect(fromValue.current).toBe(createKeyring(parseMasterKeys(value)).current)
  expect(made.current).toBe(createKeyring(await readKeyFile(makeAt)).current)
})

test('a wrong or missing key stops the start, and no key is made or changed [F34]', async () => {
  await using directory = await temporaryDirectory()
  const makeAt = join(directory.path, 'made.key')
  const keyCheck = createKeyCheck(await openKeyring({ makeAt, keyCheck: undefined }))
  const before = await readFile(makeAt)
  const wrong = randomBytes(32).toString('base64')
  await expect(openKeyring({ makeAt, value: wrong, keyCheck })).rejects.toThrow(
    'Nothing was changed',
  )
  expect(await readFile(makeAt)).toEqual(before)
  await rm(makeAt)
  await expect(openKeyring({ makeAt, keyCheck })).rejects.toThrow('The master key is missing')
  expect(await readdir(directory.path)).toEqual([])
})

async function keyOfNewProcess(path: string): Promise<string> {
  const program = fileURLToPath(new URL('./test-key-process.ts', import.meta.url))
  const child = fork(program, [path], {
    execArgv: ['--conditions=dataagent-source'],
    stdio: ['ignore', 'pipe', 2, 'ipc'],
  })
  return (await readText(child.stdout as Readable)).trim()
}

function catchError(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
