import { constants, type Stats } from 'node:fs'
import { rename } from 'node:fs/promises'
import { isAppError } from '@dataagent/schema/base'
import { atSpot, type Base, type Spot } from './base.ts'
import { contentHash, type Expectation, requireExpected } from './expectation.ts'
import { type FileInfo, lookAt, requireFile, toFileInfo } from './file-info.ts'
import { createReservation } from './ledger.ts'
import { openFile } from './open-file.ts'
import { readBytes } from './read.ts'
import { type Content, type TempFile, toBytes, tooLarge, writeTempFile } from './temp-file.ts'
import { hasCode, stopIfAborted } from './to-app-error.ts'

export interface WriteOptions {
  expect?: Expectation
  /** Whether the content survives a power loss once the write returned; default false. */
  durable?: boolean
  /**
   * The most to write, in place of the workspace's `maxWriteBytes`; more is refused with
   * `too_large`.
   */
  maxBytes?: number
  signal?: AbortSignal
}

export type AppendOptions = Pick<WriteOptions, 'durable' | 'maxBytes'>

export interface Writes {
  /**
   * Creates or replaces a file: whoever looks, and whatever fails, sees the old content or the new,
   * whole.
   */
  write(path: string, content: Content, options?: WriteOptions): Promise<FileInfo>
  /**
   * Adds to the end of a file, or creates it. An error leaves the file as it was; a kill of the
   * process in the midst may leave a part of what was added.
   */
  append(path: string, content: string | Uint8Array, options?: AppendOptions): Promise<FileInfo>
  /**
   * Replaces a file's content by what `change` makes of it, again from the start when someone was
   * faster.
   */
  edit(
    path: string,
    change: (content: Buffer) => string | Uint8Array,
    options?: AppendOptions,
  ): Promise<FileInfo>
}

const EDIT_TRIES = 8

export function createWrites(base: Base): Writes {
  return {
    write: (path, content, options = {}) =>
      atSpot(base, path, (spot) => write(base, spot, content, { mode: base.fileMode, ...options })),

    append: (path, content, options = {}) =>
      atSpot(base, path, (spot) =>
        base.exclusive(spot.key, () => append(base, spot, toBytes(content), options)),
      ),

    edit: (path, change, options = {}) =>
      atSpot(base, path, (spot) =>
        base.exclusive(spot.key, () => edit(base, spot, change, options)),
      ),
  }
}

/** Writes beside the spot first and takes its turn there only to look and rename. */
export async function write(
  base: Base,
  spot: Spot,
  content: Content,
  options: WriteOptions & { mode: number },
): Promise<FileInfo> {
  await requireReplaceable(base, spot)
  await using temp = await writeTemp(base, spot, content, options)
  return await base.exclusive(spot.key, () => putInPlace(base, spot, temp, options))
}

async function append(
  base: Base,
  spot: Spot,
  bytes: Uint8Array,
  { durable = false, maxBytes = base.maxWriteBytes }: AppendOptions,
): Promise<FileInfo> {
  const flags = constants.O_WRONLY | constants.O_APPEND
  const opened = await openFile(spot.dir, spot.name, { flags, dev: base.dev }).catch((error) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
  if (opened === undefined) return await create(base, spot, bytes, { durable, maxBytes })

  await using file = opened
  if (file.stats.size + bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
  const reservation = createReservation(base.ledger)
  await reservation.grow(bytes.byteLength)
  try {
    await file.handle.writeFile(bytes)
    if (durable) await file.handle.sync()
    return toFileInfo(await file.handle.stat())
  } catch (error) {
    await file.handle.truncate(file.stats.size).catch(() => {})
    await reservation.undo()
    throw error
  }
}

async function create(base: Base, spot: Spot, bytes: Uint8Array, options: AppendOptions) {
  await using temp = await writeTemp(base, spot, bytes, { mode: base.fileMode, ...options })
  return await putInPlace(base, spot, temp, { ...options, expect: 'absent' })
}

async function edit(
  base: Base,
  spot: Spot,
  change: (content: Buffer) => string | Uint8Array,
  options: AppendOptions,
): Promise<FileInfo> {
  for (let tries = 1; ; tries++) {
    const { before, mode } = await readForEdit(base, spot)
    await using temp = await writeTemp(base, spot, toBytes(change(before)), { mode, ...options })
    try {
      const expect = { sha256: contentHash(before) }
      return await putInPlace(base, spot, temp, { ...options, expect })
    } catch (error) {
      if (!isAppError(error, 'conflict') || tries === EDIT_TRIES) throw error
    }
  }
}

async function readForEdit({ dev, maxReadBytes }: Base, { dir, name }: Spot) {
  await using file = await openFile(dir, name, { flags: constants.O_RDONLY, dev })
  if (file.stats.size > maxReadBytes) throw tooLarge(maxReadBytes)
  const before = await readBytes(file.handle, 0, file.stats.size)
  return { before, mode: file.stats.mode & 0o777 }
}

function writeTemp(
  base: Base,
  { dir }: Spot,
  content: Content,
  options: WriteOptions & { mode: number },
): Promise<TempFile> {
  const { mode, durable = false, maxBytes = base.maxWriteBytes, signal } = options
  return writeTempFile(base, dir, content, { mode, durable, maxBytes, signal })
}

/** Gives a temporary file its name. Must run in the spot's turn. */
async function putInPlace(
  base: Base,
  spot: Spot,
  temp: TempFile,
  { expect, durable = false, signal }: WriteOptions,
): Promise<FileInfo> {
  const { dir, name } = spot
  const old = await requireReplaceable(base, spot)
  await requireExpected(base, spot, old, expect)
  const stats = await temp.handle.stat()
  requireFile(stats, base.dev)
  if (old !== undefined && old.mode !== stats.mode) await temp.handle.chmod(old.mode & 0o777)
  // The last bytes may fail here, on network file systems: so before the name is given.
  await temp.handle.close()
  await dir.confirm()
  stopIfAborted(signal)
  await rename(dir.at(temp.name), dir.at(name))
  temp.keep()
  if (old !== undefined) await base.ledger.release(old.size)
  if (durable) await dir.sync()
  return toFileInfo(stats)
}

async function requireReplaceable(base: Base, spot: Spot): Promise<Stats | undefined> {
  const stats = await lookAt(spot)
  if (stats !== undefined) requireFile(stats, base.dev)
  return stats
}
