import { createReadStream, existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { readJson } from '@dataagent/schema'
import { type Config, createStartError } from '../config/index.ts'
import { measure, writeNew } from './copy-file.ts'
import { findFile } from './find-file.ts'
import {
  type BackupFile,
  type DatabasePlace,
  type Manifest,
  manifestSchema,
  names,
} from './manifest.ts'
import { unfinishedName } from './unfinished.ts'
import { told } from './words.ts'

/** Elsewhere a backslash is a letter, which names of users' folders may have. */
const separator = process.platform === 'win32' ? /[\\/]/ : '/'

export interface RestoreOptions {
  config: Config
  target: DatabasePlace
  from: string
}

export interface Restored {
  manifest: Manifest
  data_dir: string
}

/**
 * Puts a backup into a data directory without files. All of it is checked before anything is
 * written. Until it is done no server starts there.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const from = resolve(options.from)
  const manifest = await readManifest(from)
  const database = await findPlace(options, manifest)
  await check(from, manifest)

  const { data_dir } = options.config
  const marker = join(data_dir, unfinishedName)
  await writeFile(marker, '', { flag: 'wx', mode: 0o600 })
  for (const { path } of manifest.folders) {
    await mkdir(join(data_dir, path), { recursive: true, mode: 0o700 })
  }
  for (const file of manifest.files) {
    const to = file.path === names.database ? database : join(data_dir, placeOf(file))
    const copied = await writeNew(to, createReadStream(join(from, file.path)), file.mode)
    if (copied.sha256 !== file.sha256) throw createStartError(told.changed(file.path), null)
  }
  // Last: nothing is written through a link, nor into a folder that is closed to writing.
  for (const { path, target } of manifest.links) await symlink(target, join(data_dir, path))
  for (const { path, mode } of manifest.folders.toReversed())
    await chmod(join(data_dir, path), mode).catch(unlessNotOurs)
  await rm(marker)
  return { manifest, data_dir }
}

/** What others have mounted there stays as they made it. */
function unlessNotOurs(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPERM') throw error
}

async function readManifest(from: string): Promise<Manifest> {
  const text = await readFile(join(from, names.manifest), 'utf8').catch((error) => {
    throw createStartError(told.notWhole(from), error)
  })
  const parsed = manifestSchema.safeParse(parse(text))
  if (!parsed.success) throw createStartError(told.unknownForm(from), parsed.error)
  const { files, folders, links } = parsed.data
  const paths = [...files, ...folders, ...links].map(({ path }) => path)
  const leading = paths.find((path) => isAbsolute(path) || path.split(separator).includes('..'))
  if (leading !== undefined) throw createStartError(told.changed(leading), null)
  return parsed.data
}

function parse(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}

/** Where the database goes. Throws where something is there already, or it is of another kind. */
async function findPlace({ config, target }: RestoreOptions, { database }: Manifest) {
  const file = await findFile(config.data_dir)
  if (file !== undefined) throw createStartError(told.hasFile(config.data_dir, file), null)
  if (target.kind !== database) throw createStartError(told.otherKind(database, target.kind), null)
  if (target.kind !== 'sqlite') return ''
  if (existsSync(target.path)) throw createStartError(told.notEmpty(target.path), null)
  return target.path
}

/** Throws unless each file is as it was written, and there are no others. */
async function check(from: string, { files }: Manifest): Promise<void> {
  for (const file of files) {
    const stats = await lstat(join(from, file.path)).catch(() => undefined)
    if (!stats?.isFile()) throw createStartError(told.missing(file.path), null)
    const { size, sha256 } = await measure(join(from, file.path))
    if (size !== file.size || sha256 !== file.sha256) {
      throw createStartError(told.changed(file.path), null)
    }
  }
  const known = new Set([names.manifest, ...files.map(({ path }) => path)])
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1)
    if (!entry.isDirectory() && !known.has(path)) throw createStartError(told.unknown(path), null)
  }
}

function placeOf({ path }: BackupFile): string {
  return dirname(path) === '.' ? path : path.slice(names.files.length + 1)
}
