import { isAppError } from '@dataagent/schema/base'
import { type Base, within } from './base.ts'
import { type FileInfo, requireUsable, toFileInfo } from './file-info.ts'
import { walkDirs } from './held-dir.ts'
import { isReservedName } from './temp-names.ts'
import { stopIfAborted, systemError } from './to-app-error.ts'
import { type Found, traverse } from './traverse.ts'

export interface ListOptions {
  /** Also what is in its directories; default false. */
  recursive?: boolean
  /** Default 1000. */
  maxEntries?: number
  /** How many directories deep, when recursive; default 32. */
  maxDepth?: number
  signal?: AbortSignal
}

export interface ListEntry extends FileInfo {
  /** Relative to the directory that was listed. */
  path: string
}

export interface Listing {
  /** By path. */
  entries: ListEntry[]
  /** There was more than the caps allow; which part of it is listed is not defined. */
  truncated: boolean
}

export interface Usage {
  /** Of all files, temporary ones too; a sparse file counts with its whole size. */
  bytes: number
  files: number
  dirs: number
  /** Links, and what else is neither. */
  others: number
  /** False when a directory could not be read or lies too deep, or there was more than wanted. */
  complete: boolean
}

export interface UsageOptions {
  signal?: AbortSignal
  /** Looks at no more than these. */
  maxEntries?: number
}

export interface Looks {
  list(path?: string, options?: ListOptions): Promise<Listing>
  stat(path: string): Promise<FileInfo>
  /** Whether `stat` would find something. Throws, as it does, for a path that is refused. */
  exists(path: string): Promise<boolean>
  usage(options?: UsageOptions): Promise<Usage>
}

/** Each level of a walk holds a descriptor. */
const MAX_DEPTH = 256

export function createLooks(base: Base): Looks {
  const stat = (path: string) => within(base, path, (names) => statNames(base, names))

  return {
    stat,
    exists: (path) => stat(path).then(() => true, toFalse),
    list: (path = '.', options = {}) => within(base, path, (names) => list(base, names, options)),
    usage: (options = {}) => within(base, '.', () => measure(base, options)),
  }
}

async function statNames(base: Base, names: string[]): Promise<FileInfo> {
  await using dir = await walkDirs(base.root, names.slice(0, -1))
  const stats = await dir.look(names.at(-1) ?? '.')
  await dir.confirm()
  if (stats.isSymbolicLink()) throw systemError('ELOOP')
  return toFileInfo(stats)
}

/** Nothing there, or a file where the path needs a directory. */
function toFalse(error: unknown): false {
  if (isAppError(error, 'not_found') || isAppError(error, 'invalid_request')) return false
  throw error
}

async function list(
  base: Base,
  names: string[],
  { recursive = false, maxEntries = 1000, maxDepth = 32, signal }: ListOptions,
): Promise<Listing> {
  await using dir = await walkDirs(base.root, names)
  requireUsable(await dir.look('.'), base.dev)
  const entries: ListEntry[] = []
  let truncated = false
  const depth = Math.min(maxDepth, MAX_DEPTH)
  const descend = (found: Found) => {
    if (!recursive || isHidden(found) || found.stats.dev !== base.dev) return false
    if (found.depth >= depth) truncated = true
    return found.depth < depth
  }
  for await (const found of traverse(dir, { descend, skipped: () => {} })) {
    stopIfAborted(signal)
    if (isHidden(found)) continue
    truncated ||= entries.length >= maxEntries
    if (entries.length >= maxEntries) break
    entries.push({ path: found.path, ...toFileInfo(found.stats) })
  }
  return { entries: entries.sort(byPath), truncated }
}

async function measure(
  base: Base,
  { signal, maxEntries = Infinity }: UsageOptions,
): Promise<Usage> {
  const usage: Usage = { bytes: 0, files: 0, dirs: 0, others: 0, complete: true }
  const skipped = () => {
    usage.complete = false
  }
  const descend = ({ stats, depth }: Found) => {
    if (stats.dev !== base.dev || depth >= MAX_DEPTH) skipped()
    return stats.dev === base.dev && depth < MAX_DEPTH
  }
  let seen = 0
  for await (const { stats } of traverse(base.root, { descend, skipped })) {
    stopIfAborted(signal)
    seen += 1
    if (seen > maxEntries) return { ...usage, complete: false }
    if (stats.isDirectory()) usage.dirs++
    else if (!stats.isFile()) usage.others++
    if (!stats.isFile()) continue
    usage.files++
    usage.bytes += stats.size
  }
  return usage
}

function isHidden({ name }: Found): boolean {
  return typeof name === 'string' && isReservedName(name)
}

function byPath(a: ListEntry, b: ListEntry): number {
  return a.path < b.path ? -1 : 1
}
