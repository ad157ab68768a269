import { createHash } from 'node:crypto'
import { AppError, type SerializedValue } from '@dataagent/schema'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../tables.ts'
import { cut } from './cut.ts'
import type { StoredValue } from './tables.ts'

const maxValueBytes = 64 * 1024 * 1024
/** MySQL's driver makes two of each byte; a statement of so much is below every server's limit. */
const bytesPerInsert = 1024 * 1024
const partsPerInsert = 200
const partsPerSelect = 500

export interface Split extends StoredValue {
  bytesOf: ReadonlyMap<string, Uint8Array>
}

/**
 * Equal parts of a history are stored once: a list that grew by a message has all but its end in
 * common with the one before. Throws `too_large`.
 */
export function split(what: string, { type, bytes }: SerializedValue): Split {
  assertSize(what, bytes.length, maxValueBytes)
  const pieces = [...cut(bytes)].map(copy)
  const tail = pieces.pop()!
  const hashed = pieces.map((part) => [hashOf(part), part] as const)
  return { type, parts: hashed.map(([hash]) => hash).join(' '), tail, bytesOf: new Map(hashed) }
}

/** Half of a SHA-256: it tells apart what is in one history. */
function hashOf(part: Uint8Array): string {
  return createHash('sha256').update(part).digest().subarray(0, 16).toString('base64url')
}

export function assertSize(what: string, size: number, max: number): void {
  if (size <= max) return
  const message = `${what} has ${size} bytes; ${max} are the most that are stored`
  throw new AppError('too_large', message, { data: { limit: max } })
}

/** Stores the parts that the history, which is held, has not got yet. */
export async function storeParts(
  transaction: Transaction<Database>,
  history_id: string,
  values: readonly Split[],
): Promise<void> {
  const missing = new Map(values.flatMap(({ bytesOf }) => [...bytesOf]))
  for (const hashes of inBatches([...missing.keys()], partsPerSelect)) {
    const known = transaction.selectFrom('checkpoint_parts').select('hash')
    const found = known.where('history_id', '=', history_id).where('hash', 'in', hashes)
    for (const { hash } of await found.execute()) missing.delete(hash)
  }
  const rows = [...missing].map(([hash, bytes]) => ({ history_id, hash, bytes }))
  for (const batch of inInserts(rows)) {
    await transaction.insertInto('checkpoint_parts').values(batch).execute()
  }
}

/** Puts values together again. Throws `conflict` where they were removed meanwhile. */
export async function joinParts<Row extends StoredValue>(
  db: Kysely<Database>,
  history_id: string,
  rows: readonly Row[],
): Promise<(Omit<Row, 'parts' | 'tail'> & SerializedValue)[]> {
  const wanted = [...new Set(rows.flatMap(({ parts }) => hashesOf(parts)))]
  const bytesOf = new Map<string, Uint8Array>()
  for (const hashes of inBatches(wanted, partsPerSelect)) {
    const query = db.selectFrom('checkpoint_parts').select(['hash', 'bytes'])
    const found = query.where('history_id', '=', history_id).where('hash', 'in', hashes)
    for (const { hash, bytes } of await found.execute()) bytesOf.set(hash, bytes)
  }
  return rows.map(({ parts, tail, ...row }) => {
    const pieces = hashesOf(parts).map((hash) => bytesOf.get(hash) ?? gone())
    return { ...row, bytes: concat([...pieces, tail]) }
  })
}

export const hashesOf = (parts: string): string[] => (parts === '' ? [] : parts.split(' '))

export function* inBatches<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

function* inInserts<Row extends { bytes: Uint8Array }>(rows: readonly Row[]): Generator<Row[]> {
  let batch: Row[] = []
  let bytes = 0
  for (const row of rows) {
    bytes += row.bytes.length
    if (batch.length === partsPerInsert || (batch.length > 0 && bytes > bytesPerInsert)) {
      yield batch
      batch = []
      bytes = row.bytes.length
    }
    batch.push(row)
  }
  if (batch.length > 0) yield batch
}

/** In memory of its own: a view would take all it is part of along to SQLite's thread. */
const copy = (view: Uint8Array): Uint8Array => new Uint8Array(view)

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

function gone(): never {
  throw new AppError('conflict', 'the checkpoint was removed while it was read')
}
