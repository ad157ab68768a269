import { constants } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AppError } from '@dataagent/schema/base'
import type { Base } from './base.ts'
import type { HeldDir } from './held-dir.ts'
import { createReservation, type Reservation } from './ledger.ts'
import { stopIfAborted } from './to-app-error.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY } = constants
const NEW_FILE = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW

/** What can be written: text as UTF-8, bytes, or bytes as they arrive. */
export type Content = string | Uint8Array | AsyncIterable<Uint8Array>

export interface TempFileOptions {
  maxBytes: number
  mode: number
  durable: boolean
  signal: AbortSignal | undefined
}

/**
 * A new file beside the one it is to replace, under a name no user path can have. Disposing of it
 * removes it and gives back what it reserved, unless it was kept; what cannot be removed is left to
 * `sweep`.
 */
export interface TempFile extends AsyncDisposable {
  name: string
  handle: FileHandle
  /** It has got its real name: nothing is left to remove. */
  keep(): void
}

/** Writes `content` to a temporary file in `dir`. When that fails nothing is left of it. */
export async function writeTempFile(
  base: Base,
  dir: HeldDir,
  content: Content,
  options: TempFileOptions,
): Promise<TempFile> {
  stopIfAborted(options.signal)
  const reservation = createReservation(base.ledger)
  const temp = await createTempFile(base, dir, options.mode, reservation)
  try {
    await dir.confirm()
    await fill(temp.handle, content, reservation, options)
    if (options.durable) await temp.handle.sync()
    return temp
  } catch (error) {
    await temp[Symbol.asyncDispose]()
    throw error
  }
}

async function createTempFile(
  base: Base,
  dir: HeldDir,
  mode: number,
  reservation: Reservation,
): Promise<TempFile> {
  const name = base.tempNames.take()
  let kept = false
  await dir.confirm()
  const handle = await open(dir.at(name), NEW_FILE, mode).catch((error) => {
    base.tempNames.drop(name)
    throw error
  })
  return {
    name,
    handle,
    keep() {
      kept = true
    },
    async [Symbol.asyncDispose]() {
      await handle.close().catch(() => {})
      if (!kept) await unlink(dir.at(name)).catch(() => {})
      base.tempNames.drop(name)
      if (!kept) await reservation.undo()
    },
  }
}

async function fill(
  handle: FileHandle,
  content: Content,
  reservation: Reservation,
  { maxBytes, signal }: TempFileOptions,
): Promise<void> {
  let size = 0
  for await (const chunk of toChunks(content, signal)) {
    const bytes = toBytes(chunk)
    size += bytes.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    await reservation.grow(bytes.byteLength)
    await handle.writeFile(bytes)
  }
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError(
    'too_large',
    `A file may have at most ${maxBytes} bytes here. Nothing was written: split it into several`,
    { data: { max_bytes: maxBytes } },
  )
}

export function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : content
}

function toChunks(
  content: Content,
  signal: AbortSignal | undefined,
): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (typeof content === 'string' || content instanceof Uint8Array) return [toBytes(content)]
  return signal === undefined ? content : Readable.from(content, { signal })
}
