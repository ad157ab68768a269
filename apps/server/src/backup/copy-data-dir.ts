import { constants } from 'node:fs'
import { access, lstat, readdir, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { openWorkspace } from '@dataagent/guard'
import { AppError, type ErrorCode, isAppError } from '@dataagent/schema'
import { writeNew } from './copy-file.ts'
import { type Manifest, names } from './manifest.ts'

export type CopiedTree = Pick<Manifest, 'files' | 'folders' | 'links' | 'left_out'>

export interface CopyOptions {
  from: string
  /** The folder of the backup. */
  to: string
  /** Of a path in the data directory, with `/` between names: whether it is to be copied. */
  isWanted(path: string): boolean
}

const maxEntries = 10_000_000
const maxDepth = 256
/** Of bytes: what is longer cannot be made in a data directory with a longer name. */
const maxPath = 3_072

/**
 * Copies what is in the data directory while a server writes to it. Links that users make are
 * noted, not followed: they may exchange a folder for one while it is read. What they have made so
 * that it cannot be copied is left out, and keeps nobody else's files out of the backup.
 */
export async function copyDataDir({ from, to, isWanted }: CopyOptions): Promise<CopiedTree> {
  const tree: CopiedTree = { files: [], folders: [], links: [], left_out: [] }
  for (const name of (await readdir(from)).filter(isWanted).toSorted()) {
    // Users make nothing here: a link leads to where the operator keeps it.
    const stats = await stat(join(from, name)).catch(() => undefined)
    if (stats?.isFile()) await copyOne(name)
    else if (stats?.isDirectory()) await copyFolder(name)
    else tree.left_out.push(name)
  }
  return tree

  async function copyFolder(name: string): Promise<void> {
    // Each for itself: some may be on other disks.
    const root = await realpath(join(from, name))
    const { mode, dev } = await lstat(root)
    tree.folders.push({ path: name, mode: mode & 0o777 })
    await using folder = await openWorkspace({ root })
    const { entries, truncated } = await folder.list('.', {
      ...{ recursive: true, maxDepth, maxEntries },
    })
    if (truncated && entries.length >= maxEntries)
      throw new AppError('too_large', `${root} has too many files`)
    for (const { kind, path } of entries) {
      const place = `${name}/${path}`
      if (!isWanted(place)) continue
      if (kind === 'other' || Buffer.byteLength(place) > maxPath) tree.left_out.push(place)
      else if (kind === 'dir') await noteFolder(place, { dev, depth: path.split('/').length })
      else if (kind === 'link') await noteLink(place)
      else await keepUnlessGone(place, async () => (await folder.stream(path)).stream)
    }
  }

  async function noteFolder(path: string, { dev, depth }: { dev: number; depth: number }) {
    const source = join(from, path)
    tree.folders.push({ path, mode: await modeOf(source) })
    const isRead = depth < maxDepth && (await isOpen(source, dev))
    if (!isRead) tree.left_out.push(path)
  }

  async function noteLink(path: string): Promise<void> {
    const target = await readlink(join(from, path)).catch(() => undefined)
    if (target !== undefined) tree.links.push({ path, target })
  }

  async function copyOne(name: string): Promise<void> {
    const path = await realpath(join(from, name))
    await using folder = await openWorkspace({ root: dirname(path) })
    await keepUnlessGone(name, async () => (await folder.stream(basename(path))).stream)
  }

  async function keepUnlessGone(path: string, open: () => Promise<AsyncIterable<Uint8Array>>) {
    const content = await open().catch((error) => passOver(path, error))
    if (content === undefined) return
    const mode = await modeOf(join(from, path))
    const copied = await writeNew(join(to, names.files, path), content, 0o600)
    tree.files.push({ path: `${names.files}/${path}`, mode, ...copied })
  }

  /** One that is gone meanwhile is no loss, unless it only seems so because of its name. */
  function passOver(path: string, error: unknown): undefined {
    if (!isAppError(error) || !passedOver.includes(error.code)) throw error
    if (error.code !== 'not_found' || path.includes('\ufffd')) tree.left_out.push(path)
  }
}

/** What users can bring about: names and rights that do not open it, or something else there. */
const passedOver: readonly ErrorCode[] = ['not_found', 'path_denied', 'invalid_request', 'conflict']

/** Whether a listing goes into it; true of one that is gone meanwhile. */
async function isOpen(path: string, dev: number): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  if (stats === undefined || stats.isSymbolicLink()) return true
  if (stats.dev !== dev) return false
  return access(path, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** Of what is gone meanwhile, that of what we make. */
async function modeOf(path: string): Promise<number> {
  const mode = await lstat(path).then(
    (stats) => stats.mode,
    () => 0o700,
  )
  return mode & 0o777
}
