import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { startProcess } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { RetailAnswer, RetailRequest } from './make-retail-main.ts'

export interface RetailSampleOptions {
  /** Where the tables come to be: absent or empty before, or the sample of an earlier time. */
  folder: string
  /** Its day, in UTC, is the last one with orders. */
  until: Date
  /** The same seed and day give the same rows. Default 1. */
  seed?: number
  /** Default 365. */
  days?: number
  /** Default 300,000. */
  orders?: number
  signal?: AbortSignal
}

export interface RetailSample {
  /** `kept`: it was there already, and was left as it is. */
  status: 'made' | 'kept'
  folder: string
  bytes: number
}

const fileNames = ['customers', 'orders', 'products', 'regions'].map((name) => `${name}.parquet`)
/** Nothing is written into a folder of an unfinished sample for so long, unless nobody does. */
const leftOverMs = 10 * 60_000
const placeTaken = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM'])

/**
 * Makes a year of retail data: `orders`, `products`, `regions` and `customers` as Parquet files.
 * They appear all together or not at all, whatever ends the process meanwhile; several that make
 * them at once do not disturb each other. Throws `storage_full`, `conflict` where the folder holds
 * something else, `cancelled` or `process_failed`.
 */
export async function makeRetailSample(options: RetailSampleOptions): Promise<RetailSample> {
  const { seed = 1, days = 365, orders = 300_000, signal } = options
  const folder = resolve(options.folder)
  const kept = await findSample(folder)
  if (kept) return kept
  const until = options.until.toISOString().slice(0, 10)
  const around = dirname(folder)
  const prefix = `.${basename(folder)}.making-`
  try {
    await mkdir(around, { recursive: true })
    await removeLeftOvers(around, prefix)
    const making = await mkdtemp(join(around, prefix))
    try {
      await write({ folder: making, seed, days, orders, until }, signal)
      return await putInPlace(making, folder)
    } finally {
      await rm(making, { recursive: true, force: true })
    }
  } catch (error) {
    throw toSampleError(error, folder)
  }
}

async function write(request: RetailRequest, signal: AbortSignal | undefined): Promise<void> {
  await using maker = await startProcess({
    command: process.execPath,
    args: [program()],
    ...{ env: {}, graceMs: 0, ...(signal && { signal }) },
  })
  maker.stdin.end(JSON.stringify(request))
  const said = await text(maker.stdout)
  if (signal?.aborted) throw new AppError('cancelled', 'The sample was not made: cancelled.')
  if (said === '') {
    const { code, signal: by } = await maker.exited
    const message = `The program that makes the sample ended early (${by ?? code}).`
    throw new AppError('process_failed', message, { data: { stderr: maker.stderrTail() } })
  }
  const answer: RetailAnswer = JSON.parse(said)
  if (answer.status === 'failed') throw new AppError('process_failed', answer.message)
}

function program(): string {
  const name = `./make-retail-main${extname(import.meta.filename)}`
  return fileURLToPath(new URL(name, import.meta.url))
}

/** Another process may have been faster: then theirs stays. */
async function putInPlace(making: string, folder: string): Promise<RetailSample> {
  const bytes = await sizeOf(making)
  try {
    await rename(making, folder)
    return { status: 'made', folder, bytes }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const theirs = placeTaken.has(code) ? await findSample(folder) : undefined
    if (theirs) return theirs
    throw error
  }
}

/** Undefined where there is none yet. */
async function findSample(folder: string): Promise<RetailSample | undefined> {
  const names = await readdir(folder).catch((): string[] => [])
  if (names.length === 0) return undefined
  if (fileNames.every((name) => names.includes(name)))
    return { status: 'kept', folder, bytes: await sizeOf(folder) }
  throw new AppError(
    'conflict',
    `The folder "${folder}" holds something else than the sample. Empty it, or name another.`,
  )
}

async function sizeOf(folder: string): Promise<number> {
  const files = await Promise.all(fileNames.map((name) => stat(join(folder, name))))
  return files.reduce((sum, { size }) => sum + size, 0)
}

/** What processes have left behind that were killed. */
async function removeLeftOvers(around: string, prefix: string): Promise<void> {
  const names = (await readdir(around)).filter((name) => name.startsWith(prefix))
  for (const path of names.map((name) => join(around, name))) {
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < Date.now() - leftOverMs)
      await rm(path, { recursive: true, force: true })
  }
}

function toSampleError(error: unknown, folder: string): unknown {
  if (!(error instanceof Error)) return error
  const { code } = error as NodeJS.ErrnoException
  if (
    code !== 'ENOSPC' &&
    code !== 'EDQUOT' &&
    !/no space left|quota exceeded/i.test(error.message)
  )
    return error
  return new AppError(
    'storage_full',
    `The disk is full: the sample could not be written to "${folder}". Free some room (20 MB are enough) and start again; nothing was left behind.`,
    { cause: error },
  )
}
