import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '@dataagent/guard'
import { AppError, type ErrorCode } from '@dataagent/schema'
import type { ToolFault } from '../outcome.ts'
import type { CallLogRow, CallLogRows, CallRecord } from './contract.ts'
import { type ChainHead, type JournalStart, readJournal } from './journal-lines.ts'
import { isOwnerAlive } from './owner.ts'

export interface TakeoverOptions {
  /** Where all processes have their folders. */
  dir: string
  /** The folder of this process: what it takes over moves into it, and is its own from then on. */
  own: string
  rows: CallLogRows
  batch: number
  clock: Clock
  /** Stores the record in a chain of this process; resolves when it is in the database. */
  record: (records: readonly CallRecord[]) => Promise<void>
  anchor: (heads: readonly ChainHead[]) => Promise<void>
  /** From then on nothing is taken over, and what is under way is left to the next process. */
  isClosed: () => boolean
}

/**
 * Takes over the journals of processes that are gone, each exactly once however many processes look
 * at the same time: a folder is renamed as a whole, with what its owner had itself taken over.
 * Rejects where the database is away, or with `cancelled` where it was closed; what it left is then
 * done by the next call, or by the next process.
 */
export function createTakeover(options: TakeoverOptions): () => Promise<void> {
  const { dir, own, clock, isClosed } = options
  const taken = join(own, 'taken')

  return async () => {
    for (const name of await readdir(dir)) {
      if (name !== basename(own)) await claim(name)
    }
    const folders = await flatten(taken)
    if (folders.length > 0) await restore(folders, options)
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  }

  async function claim(name: string): Promise<void> {
    try {
      const { mtimeMs } = await stat(join(dir, name))
      if (isClosed() || isOwnerAlive(name, clock.now() - mtimeMs) !== false) return
      mkdirSync(taken, { recursive: true, mode: 0o700 })
      renameSync(join(dir, name), join(taken, name))
    } catch (error) {
      // Another process was faster.
      orEmpty(error)
    }
  }
}

/**
 * The folders that were taken over. What their owners had taken over is moved beside them, so that
 * paths do not grow where one process after the other ends early.
 */
async function flatten(taken: string): Promise<string[]> {
  const names = await readdir(taken).catch(orEmpty)
  for (const name of names) {
    const inner = join(taken, name, 'taken')
    if (!existsSync(inner)) continue
    for (const moved of await flatten(inner)) {
      await rename(moved, join(taken, basename(moved)))
      names.push(basename(moved))
    }
    await rmdir(inner)
  }
  return [...new Set(names)].map((name) => join(taken, name))
}

function orEmpty(error: unknown): string[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
  throw error
}

/**
 * Stores what the journals hold; what is stored already is left as it is. All rows come first: one
 * of them may be the end of a call whose start is in another folder.
 */
async function restore(folders: string[], options: TakeoverOptions): Promise<void> {
  const { rows, clock, record, anchor, isClosed } = options
  const { starts, heads } = await storeRows(folders, options)
  const records: CallRecord[] = []
  for (const { idempotent, record } of starts) {
    const { tenant_id, call_id } = record
    const [found] = await rows.query({ tenant_id, call_id, limit: 1, offset: 0 })
    if (!found) records.push(toInterrupted({ idempotent, record }, clock.now()))
  }
  if (isClosed()) throw new AppError('cancelled', 'the audit is closed')
  await record(records)
  await anchor(heads)
}

async function storeRows(folders: string[], { rows, batch }: TakeoverOptions) {
  const starts = new Map<string, JournalStart>()
  const heads = new Map<string, ChainHead>()
  let waiting: CallLogRow[] = []
  const addHead = ({ tenant_id, writer, seq, hash }: ChainHead) => {
    const name = `${writer}\n${tenant_id}`
    if (seq > (heads.get(name)?.seq ?? 0)) heads.set(name, { tenant_id, writer, seq, hash })
  }
  const storeWaiting = async () => {
    if (waiting.length > 0) await rows.append(waiting)
    waiting = []
  }
  for (const file of await listJournals(folders)) {
    for await (const line of readJournal(file)) {
      if (line.kind === 'heads') line.heads.forEach(addHead)
      if (line.kind === 'start') starts.set(line.start.record.call_id, line.start)
      if (line.kind !== 'row') continue
      starts.delete(line.row.call_id)
      addHead(line.row)
      waiting.push(line.row)
      if (waiting.length >= batch) await storeWaiting()
    }
  }
  await storeWaiting()
  return { starts: [...starts.values()], heads: [...heads.values()] }
}

/** All journals of these folders, those of each oldest first. */
async function listJournals(folders: string[]): Promise<string[]> {
  const files: string[] = []
  for (const folder of folders) {
    for (const name of (await readdir(folder)).sort()) files.push(join(folder, name))
  }
  return files
}

/** The row of a call that began and whose end nobody saw. */
function toInterrupted({ idempotent, record }: JournalStart, now: number): CallRecord {
  const { tool_name, started_at } = record
  const fault = idempotent
    ? toFault('unavailable', 'retry', 'the call may be made again')
    : toFault(
        'unknown_outcome',
        'ask_user',
        'find out whether it took effect before it is repeated',
      )
  return {
    ...record,
    status: idempotent ? 'interrupted' : 'unknown_outcome',
    ended_at: now,
    duration_ms: Math.max(0, now - started_at),
    error: JSON.stringify({ ...fault, tool_name } satisfies ToolFault),
  }
}

function toFault(code: ErrorCode, advice: ToolFault['advice'], what: string) {
  const message = `the server stopped while the tool ran, and its outcome is not known; ${what}`
  return { code, message, advice }
}
