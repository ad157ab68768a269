import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, realpath } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { Clock } from '@dataagent/guard'
import { type Config, createStartError } from '../config/index.ts'
import { version } from '../version.ts'
import { type CopiedTree, copyDataDir } from './copy-data-dir.ts'
import { measure, writeNew } from './copy-file.ts'
import { repairFolder } from './find-file.ts'
import { type BackupFile, type DatabasePlace, type Manifest, names } from './manifest.ts'
import { told } from './words.ts'

export interface BackupOptions {
  config: Config
  /** Where to; absent or empty. */
  to: string
  target: DatabasePlace
  withKey: boolean
  /** The master keys, the current one first. */
  readKeys(): Promise<Buffer[]>
  clock: Clock
}

/** What was made. `leftOut` is the configuration file where it holds the master key. */
export interface Backup {
  manifest: Manifest
  to: string
  leftOut: string | undefined
  target: DatabasePlace
}

const configFile = 'dataagent.config.json'
/** Of a running process or of the disk alone; the key, and what is left of its making. */
const isPassing = (name: string) =>
  name === repairFolder || /^(server\.lock|master\.key)([.-].*)?$/.test(name)

/**
 * Copies all that the server keeps on this machine, also while it runs. The journal comes before
 * the database: what is drained meanwhile is in both, and what is in both is taken once.
 */
export async function makeBackup({ config, target, withKey, clock, ...options }: BackupOptions) {
  const to = resolve(options.to)
  await prepare(config, to, target)
  const from = config.data_dir
  const keyHolders = withKey ? [] : await findKeyHolders(config)
  const excluded = await findExcluded(config, target, keyHolders)
  const isWanted = (path: string) => !isPassing(path) && !excluded.has(path)
  const isOfJournal = (path: string) => path.split('/', 1)[0] === 'journal'

  const journal = await copyDataDir({
    ...{ from, to },
    isWanted: (path) => isOfJournal(path) && isWanted(path),
  })
  const own: BackupFile[] = []
  if (target.kind === 'sqlite') own.push(await copyDatabase(target.path, to))
  if (withKey) own.push(await copyKey(await options.readKeys(), to))
  const others = await copyDataDir({
    ...{ from, to },
    isWanted: (path) => !isOfJournal(path) && isWanted(path),
  })
  const manifest: Manifest = {
    ...{ kind: 'dataagent-backup', format: 1, version, made_at: clock.now() },
    ...{ database: target.kind, has_key: withKey, ...joined(journal, others) },
  }
  manifest.files.push(...own)
  await writeNew(join(to, names.manifest), textOf(`${JSON.stringify(manifest)}\n`), 0o600)
  await syncFolder(to)
  return { manifest, to, leftOut: keyHolders[0], target } satisfies Backup
}

async function prepare({ data_dir }: Config, to: string, target: DatabasePlace): Promise<void> {
  if (`${to}${sep}`.startsWith(`${data_dir}${sep}`)) throw createStartError(told.within(to), null)
  if (target.kind === 'sqlite' && !existsSync(target.path)) {
    throw createStartError(told.noDatabase(target.path), null)
  }
  await mkdir(to, { recursive: true, mode: 0o700 })
  if ((await readdir(to)).length > 0) throw createStartError(told.notEmpty(to), null)
}

/** Files of settings in the data directory that hold a master key, also one that is not used. */
async function findKeyHolders({ config_file, data_dir }: Config): Promise<string[]> {
  const files = new Set([join(data_dir, configFile), ...(config_file ? [config_file] : [])])
  const found: string[] = []
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.includes('"master_key"')) found.push(...(await spellingsOf(data_dir, file)))
  }
  return found.filter((path) => path.split('/', 1)[0] !== '..')
}

/** What has its own place in a backup, or none, wherever in the data directory it is. */
async function findExcluded(
  { data_dir, master_key_file }: Config,
  target: DatabasePlace,
  leftOut: readonly string[],
): Promise<Set<string>> {
  const databases = target.kind === 'sqlite' ? await spellingsOf(data_dir, target.path) : []
  const endings = ['', '-wal', '-shm', '-journal']
  return new Set([
    ...databases.flatMap((path) => endings.map((ending) => path + ending)),
    ...(master_key_file ? await spellingsOf(data_dir, master_key_file) : []),
    ...leftOut,
  ])
}

/** A path as it is below the data directory, by name and by where links lead. */
async function spellingsOf(data_dir: string, path: string): Promise<string[]> {
  const real = await Promise.all([realpath(data_dir), realpath(path)]).catch(() => undefined)
  const ways = [[data_dir, resolve(path)] as const, ...(real ? [real] : [])]
  return ways.map(([base, place]) => relative(base, place).split(sep).join('/'))
}

/** In one step, which others who write do not make begin anew. */
async function copyDatabase(path: string, to: string): Promise<BackupFile> {
  const { backup, DatabaseSync } = await import('node:sqlite')
  const copy = join(to, names.database)
  const source = new DatabaseSync(path, { timeout: 10_000 })
  try {
    await backup(source, copy, { rate: 0x7fffffff })
  } finally {
    source.close()
  }
  const made = new DatabaseSync(copy)
  try {
    const found = made.prepare('pragma quick_check').get() as { quick_check?: string }
    if (found.quick_check !== 'ok') throw createStartError(told.damaged(path), found)
  } finally {
    made.close()
  }
  await using file = await open(copy, 'r+')
  await file.chmod(0o600)
  await file.sync()
  return { path: names.database, mode: 0o600, ...(await measure(copy)) }
}

async function copyKey(keys: Buffer[], to: string): Promise<BackupFile> {
  const text = keys.map((key) => `${key.toString('base64')}\n`).join('')
  const copied = await writeNew(join(to, names.key), textOf(text), 0o600)
  return { path: names.key, mode: 0o600, ...copied }
}

function joined(...trees: CopiedTree[]): CopiedTree {
  return {
    files: trees.flatMap(({ files }) => files),
    folders: trees.flatMap(({ folders }) => folders),
    links: trees.flatMap(({ links }) => links),
    left_out: trees.flatMap(({ left_out }) => left_out),
  }
}

async function* textOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  await using folder = await open(path)
  await folder.sync()
}
