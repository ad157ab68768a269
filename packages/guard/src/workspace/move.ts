import { constants, type Stats } from 'node:fs'
import { type FileHandle, mkdir, rename } from 'node:fs/promises'
import { atSpot, type Base, type Spot, within } from './base.ts'
import { type FileInfo, lookAt, requireUsable, toFileInfo } from './file-info.ts'
import { borrowDir, type HeldDir } from './held-dir.ts'
import { type OpenFile, openFile } from './open-file.ts'
import { readBytes } from './read.ts'
import { tooLarge } from './temp-file.ts'
import { hasCode, systemError } from './to-app-error.ts'
import { write } from './write.ts'

export interface MoveOptions {
  /** Whether a file at the new path is replaced; default false: then it is a `conflict`. */
  overwrite?: boolean
}

export interface CopyOptions extends MoveOptions {
  signal?: AbortSignal
}

export interface Moves {
  /** Makes a directory and those above it; one that exists is left as it is. */
  makeDir(path: string): Promise<void>
  /** Renames a file or directory. */
  move(from: string, to: string, options?: MoveOptions): Promise<FileInfo>
  /** Copies a file; whole or not at all. */
  copy(from: string, to: string, options?: CopyOptions): Promise<FileInfo>
}

const COPY_CHUNK = 1024 * 1024

export function createMoves(base: Base): Moves {
  return {
    makeDir: (path) => within(base, path, (names) => makeDirs(base, names)),

    move: (from, to, { overwrite = false } = {}) =>
      atSpot(base, from, async (source) => {
        requireUsable(await source.dir.look(source.name), base.dev)
        return await atSpot(base, to, (target) =>
          inTurn(base, source, target, () => move(base, source, target, overwrite)),
        )
      }),

    copy: (from, to, options = {}) =>
      atSpot(base, from, async ({ dir, name }) => {
        await using file = await openFile(dir, name, { flags: constants.O_RDONLY, dev: base.dev })
        return await atSpot(base, to, (target) => copy(base, file, target, options))
      }),
  }
}

async function makeDirs(base: Base, names: string[]): Promise<void> {
  let held = borrowDir(base.root)
  for (const name of names) {
    await using last = held
    held = await openOrMakeDir(last, name, base.dirMode)
  }
  await using dir = held
  requireUsable(await dir.look('.'), base.dev)
}

async function openOrMakeDir(dir: HeldDir, name: string, mode: number): Promise<HeldDir> {
  try {
    return await dir.openDir(name)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  await dir.confirm()
  await mkdir(dir.at(name), { mode }).catch((error) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  return await dir.openDir(name)
}

/** Takes both turns, always in the same order, so that two moves never wait for each other. */
function inTurn<T>(base: Base, a: Spot, b: Spot, work: () => Promise<T>): Promise<T> {
  const [first, second] = [a.key, b.key].sort() as [string, string]
  if (first === second) return base.exclusive(first, work)
  return base.exclusive(first, () => base.exclusive(second, work))
}

async function move(base: Base, source: Spot, target: Spot, overwrite: boolean): Promise<FileInfo> {
  const stats = await source.dir.look(source.name).catch((error) => {
    throw hasCode(error, 'ENOENT') ? systemError('EAGAIN') : error
  })
  requireUsable(stats, base.dev)
  const old = await lookAt(target)
  // The same file under both names: a change of case, where the file system ignores it.
  const replaced = old?.ino === stats.ino ? undefined : old
  if (replaced !== undefined) requireReplaceable(base, stats, replaced, overwrite)
  await source.dir.confirm()
  await target.dir.confirm()
  await rename(source.dir.at(source.name), target.dir.at(target.name))
  if (replaced !== undefined) await base.ledger.release(replaced.size)
  return toFileInfo(stats)
}

function requireReplaceable(base: Base, source: Stats, target: Stats, overwrite: boolean): void {
  requireUsable(target, base.dev)
  if (!overwrite || !source.isFile() || !target.isFile()) throw systemError('EEXIST')
}

async function copy(
  base: Base,
  { handle, stats }: OpenFile,
  target: Spot,
  { overwrite = false, signal }: CopyOptions,
): Promise<FileInfo> {
  if (stats.size > base.maxWriteBytes) throw tooLarge(base.maxWriteBytes)
  return await write(base, target, readChunks(handle, stats.size), {
    mode: stats.mode & 0o777,
    ...(overwrite ? {} : { expect: 'absent' }),
    ...(signal && { signal }),
  })
}

async function* readChunks(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const bytes = await readBytes(file, at, Math.min(COPY_CHUNK, size - at))
    if (bytes.length === 0) return
    yield bytes
    at += bytes.length
  }
}
