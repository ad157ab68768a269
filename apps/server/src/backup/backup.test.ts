import { link, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@dataagent/guard'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { type Config, loadConfig } from '../config/index.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'

const key = Buffer.alloc(32, 7)
const keyText = key.toString('base64')

test('what one user has made so that it cannot be copied keeps no others out, and is named', async () => {
  await using place = await makePlace()
  const mallory = 'workspaces/@acme/mallory/files'
  await place.put('workspaces/@globex/gil/files/note.txt', 'kept')
  await place.put(`${mallory}/a\\b.txt`, 'x')
  await place.put(`${mallory}/one.txt`, 'x')
  const own = (path: string) => join(place.data_dir, mallory, path)
  await link(own('one.txt'), own('two.txt'))
  await mkdir(own('d/'.repeat(300)), { recursive: true })
  const { manifest } = await place.backUp()
  expect(manifest.left_out).toContain(`${mallory}/a\\b.txt`)
  expect(manifest.left_out).toContain(`${mallory}/two.txt`)
  expect(manifest.left_out.filter((path) => path.includes('/d/d/'))).toHaveLength(1)
  await place.restore()
  expect(await place.restored('workspaces/@globex/gil/files/note.txt')).toBe('kept')
})

test('names of folders and links that look like a way out on another system are restored', async () => {
  await using place = await makePlace()
  await place.put('workspaces/ada/files/note.txt', 'kept')
  const own = (path: string) => join(place.data_dir, 'workspaces/ada/files', path)
  await mkdir(own('..\\up'))
  await symlink('note.txt', own('a\\..\\b'))
  await place.backUp()
  await place.restore()
  const names = await readdir(join(place.other, 'workspaces/ada/files'))
  expect(names.toSorted()).toEqual(['..\\up', 'a\\..\\b', 'note.txt'])
})

test('a folder whose path is too long to be made elsewhere does not keep the rest from it', async () => {
  await using place = await makePlace()
  await place.put('workspaces/ada/files/note.txt', 'kept')
  const files = join(place.data_dir, 'workspaces/ada/files')
  const long = `${'n'.repeat(250)}/`.repeat(10)
  for (const top of ['a', 'b']) await mkdir(join(files, top, long), { recursive: true })
  await rename(join(files, 'b'), join(files, 'a', long, 'b'))
  const { manifest } = await place.backUp()
  expect(manifest.left_out.length).toBeGreaterThan(0)
  await place.restore()
  expect(await place.restored('workspaces/ada/files/note.txt')).toBe('kept')
  // Shorter again, it can be removed.
  await rename(join(files, 'a', long, 'b'), join(files, 'b'))
})

test('where the database is below the data directory, it is restored there', async () => {
  await using place = await makePlace({ database: 'db/own.db' })
  const { manifest } = await place.backUp()
  expect(manifest.files.map(({ path }) => path)).toEqual(['dataagent.db'])
  await place.restore()
  expect(place.read(join(place.other, 'db/own.db'))).toBe('in the database')
})

test('it is restored into folders that are there and empty, and beside lost+found', async () => {
  await using place = await makePlace()
  await place.put('workspaces/ada/files/note.txt', 'kept')
  const at = (path: string) => join(place.other, path)
  await mkdir(join(place.data_dir, 'lost+found'))
  const { manifest } = await place.backUp()
  expect(manifest.folders.map(({ path }) => path)).not.toContain('lost+found')
  for (const path of ['workspaces/ada', 'memories', 'lost+found', 'workspaces/lost+found'])
    await mkdir(at(path), { recursive: true })
  await writeFile(at('lost+found/#12'), 'a piece of a file')
  await place.restore()
  expect(await place.restored('workspaces/ada/files/note.txt')).toBe('kept')
})

test('it is not restored where there is a file, however deep, or a link; which one is told', async () => {
  await using place = await makePlace()
  await place.backUp()
  await mkdir(join(place.other, 'memories/ada'), { recursive: true })
  const file = join(place.other, 'memories/ada/facts.json')
  await writeFile(file, '{}')
  await expect(place.restore()).rejects.toThrow(`there is ${file}`)
  await rm(file)
  await symlink(place.path, file)
  await expect(place.restore()).rejects.toThrow(`there is ${file}`)
  expect(await readdir(place.other)).toEqual(['memories'])
})

test('folders that the operator keeps elsewhere, behind a link, are in it', async () => {
  await using place = await makePlace()
  const elsewhere = join(place.path, 'disk')
  await mkdir(join(elsewhere, 'ada/files'), { recursive: true })
  await writeFile(join(elsewhere, 'ada/files/note.txt'), 'kept')
  await symlink(elsewhere, join(place.data_dir, 'workspaces'))
  await place.backUp()
  await place.restore()
  expect(await place.restored('workspaces/ada/files/note.txt')).toBe('kept')
})

test.each([
  ['a key file in the data directory', 'keys/own.key', keyText, {}],
  ['what is left of the making of a key file', 'master.key.0a1b2c', keyText, {}],
  ['settings whose key another wins over', 'dataagent.config.json', settings(), { env: true }],
  ['settings by another name', 'own.json', settings(), { argv: true }],
])('%s is not in it without --with-key', async (_, name, text, { env, argv }: Given) => {
  await using place = await makePlace({
    ...(env && { env: { DATAAGENT_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') } }),
    ...(argv && { config: name }),
    ...(name === 'keys/own.key' && { keyFile: name }),
    files: { [name]: text },
  })
  await place.put('workspaces/ada/files/note.txt', 'kept')
  await place.backUp()
  for (const entry of await readdir(place.to, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const content = await readFile(join(entry.parentPath, entry.name), 'latin1')
    expect([entry.name, content.includes(keyText)]).toEqual([entry.name, false])
  }
})

interface Given {
  env?: boolean
  argv?: boolean
}

function settings(): string {
  return JSON.stringify({ master_key: keyText })
}

interface PlaceOptions {
  /** Below the data directory. */
  database?: string
  config?: string
  keyFile?: string
  env?: Record<string, string>
  files?: Record<string, string>
}

/** A data directory with a database, and where it is backed up and restored to. */
async function makePlace(options: PlaceOptions = {}) {
  const directory = await temporaryDirectory()
  const { path } = directory
  const [data_dir, to, other] = ['data', 'backup', 'other'].map((name) => join(path, name)) as [
    ...[string, string, string],
  ]
  const { database = 'dataagent.db', files = {}, config, keyFile } = options
  const put = async (name: string, text: string) => {
    await mkdir(dirname(join(data_dir, name)), { recursive: true })
    await writeFile(join(data_dir, name), text, { mode: 0o600 })
  }
  for (const [name, text] of Object.entries(files)) await put(name, text)
  await mkdir(dirname(join(data_dir, database)), { recursive: true })
  await mkdir(other)
  write(join(data_dir, database))
  const env = {
    ...options.env,
    ...(keyFile && { DATAAGENT_MASTER_KEY_FILE: join(data_dir, keyFile) }),
  }
  const argv = config ? ['--config', join(data_dir, config)] : []
  return {
    ...{ path, data_dir, to, other, put, read },
    async backUp() {
      const target = { kind: 'sqlite', path: join(data_dir, database) } as const
      const settings = configOf(['--data-dir', data_dir, ...argv], env)
      return makeBackup({
        ...{ config: settings, to, target, withKey: false, clock: systemClock },
        readKeys: async () => [key],
      })
    },
    restore: () =>
      restoreBackup({
        config: configOf(['--data-dir', other], {}),
        target: { kind: 'sqlite', path: join(other, database) },
        from: to,
      }),
    restored: (name: string) => readFile(join(other, name), 'utf8'),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

function configOf(argv: string[], env: Record<string, string>): Config {
  const loaded = loadConfig({ argv, env, sharedDir: '/does/not/exist' })
  if (loaded.status !== 'ok') throw new Error(JSON.stringify(loaded))
  return loaded.config
}

function write(path: string): void {
  using database = new DatabaseSync(path)
  database.exec(`create table t (text); insert into t values ('in the database')`)
}

function read(path: string): unknown {
  using database = new DatabaseSync(path)
  return database.prepare('select text from t').get()?.text
}
