import { AppError, isAppError } from '@dataagent/schema'
import { type CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import { countWithin } from '../read-bytes.ts'
import { createCommitQueue } from './commit-queue.ts'
import type { Engine, SqlValue } from './engine.ts'
import { isDeadlock } from './store-error.ts'
import type { Database } from './tables.ts'
import { inTransaction } from './transaction.ts'

/** An event as the log takes it: serialised once, stored and sent as the same text. */
export interface EventEntry {
  kind: string
  json: string
}

export interface LoggedEvent extends EventEntry {
  seq: number
}

export interface AppendOptions {
  /**
   * The seq the caller saw last. Where the log has gone on since, nothing is stored: `conflict`.
   */
  after?: number
}

export interface Appended {
  first: number
  last: number
}

export interface EventLog {
  /**
   * Appends all entries in order, or none, and resolves when they are durable. Throws `not_found`
   * for a session that does not exist, `conflict` (see `after`), `too_large`, `storage_full` and
   * `store_unavailable`. After the last one it is not known whether the entries were stored: read
   * the tail, or append again with `after`.
   */
  append(
    session_id: string,
    entries: readonly EventEntry[],
    options?: AppendOptions,
  ): Promise<Appended>
  /**
   * The last `limit` events, oldest first; fewer where those have 8 MiB, but at least one. Its cost
   * does not depend on the log's length.
   */
  tail(session_id: string, limit: number): Promise<LoggedEvent[]>
  /**
   * Events with a seq above `after`, oldest first: at most `limit`, and none behind the one with
   * which they have 8 MiB.
   */
  read(session_id: string, page: { after: number; limit: number }): Promise<LoggedEvent[]>
  /** The last seq; 0 for a log that is empty. */
  head(session_id: string): Promise<number>
}

/** As the rest of the store sees it. */
export interface OwnEventLog extends EventLog {
  /** To be told of a session that was deleted. Its id is not to be used again. */
  forget(session_id: string): void
}

interface Append {
  session_id: string
  entries: readonly EventEntry[]
  after: number | undefined
}

/**
 * Below the smallest packet limit in common use (MySQL 5.7's 4 MiB is raised by everyone; MariaDB
 * has 16 MiB).
 */
const maxEventLength = 4 * 1024 * 1024
/** What a row weighs beside its text. */
const rowWeight = 256
const columns = ['session_id', 'seq', 'kind', 'json']
const maxRememberedHeads = 10_000
/** With four columns each, well below the 65,535 parameters of a PostgreSQL statement. */
const maxEntries = 4_000
const lanesOfServer = 4

/**
 * The append-only log of every session, with group commit. The next seq comes from a remembered
 * head; the primary key refuses it where another process was faster, and then the head is read
 * again.
 */
export function createEventLog({
  db,
  engine,
}: {
  db: Kysely<Database>
  engine: Engine
}): OwnEventLog {
  const heads = new Map<string, number>()
  const lanes = Array.from({ length: engine.kind === 'sqlite' ? 1 : lanesOfServer }, () =>
    createCommitQueue<Append, Appended>({
      commit,
      weigh: ({ entries }) => entries.reduce((sum, { json }) => sum + rowWeight + json.length, 0),
      maxItems: 500,
      maxWeight: maxEntries * rowWeight,
      maxWaiting: 10_000,
      maxWaitMs: 10_000,
    }),
  )

  const select = db
    .selectFrom('events')
    .select(['seq', 'kind', 'json'])
    .where('session_id', '=', '')
  const read = select.where('seq', '>', 0).orderBy('seq').limit(0).compile()
  const sizes = db
    .selectFrom('events')
    .select(['seq', sql<number>`octet_length(json)`.as('bytes')])
    .where('session_id', '=', '')
  const lastSizes = sizes.orderBy('seq', 'desc').limit(0).compile()
  const nextSizes = sizes.where('seq', '>', 0).orderBy('seq').limit(0).compile()

  /** Those that one read gives. Only the end of a log changes: what was measured stays. */
  async function readMeasured<R extends { seq: number; bytes: number }>(
    session_id: string,
    query: CompiledQuery<R>,
  ): Promise<LoggedEvent[]> {
    const { rows } = await db.executeQuery(query)
    const limit = countWithin(rows.map(({ bytes }) => Number(bytes)))
    if (limit === 0) return []
    const first = Math.min(Number(rows[0]!.seq), Number(rows[limit - 1]!.seq))
    return (await db.executeQuery(toQuery(read, [session_id, first - 1, limit]))).rows
  }

  async function commit(batch: readonly Append[]): Promise<(Appended | Error)[]> {
    try {
      return await commitFast(batch).catch((error) => {
        if (isAppError(error, 'conflict') || isDeadlock(error)) return commitLocked(batch)
        throw error
      })
    } catch (error) {
      if (batch.length > 1 && !isAway(error)) return commitOneByOne(batch)
      return batch.map(() => error as Error)
    }
  }

  async function commitFast(batch: readonly Append[]) {
    try {
      await loadHeads(batch)
      const { rows, outcomes, next } = place(batch, heads)
      await engine.insertMany('events', columns, rows)
      for (const [session_id, head] of next) remember(session_id, head)
      return outcomes
    } catch (error) {
      for (const { session_id } of batch) heads.delete(session_id)
      throw error
    }
  }

  /**
   * Where another process was faster: with its sessions locked, so that the race cannot be lost
   * again.
   */
  function commitLocked(batch: readonly Append[]) {
    const session_ids = [...new Set(batch.map(({ session_id }) => session_id))].sort()
    return inTransaction(db, async (transaction) => {
      await holdOff[engine.kind](transaction, session_ids)
      const { rows, outcomes } = place(batch, await readHeads(transaction, session_ids))
      const values = rows.map(([session_id, seq, kind, json]) => ({ session_id, seq, kind, json }))
      if (values.length > 0) await transaction.insertInto('events').values(values).execute()
      return outcomes
    })
  }

  /** One bad append must not take the others with it. */
  async function commitOneByOne(batch: readonly Append[]) {
    const outcomes: (Appended | Error)[] = []
    for (const append of batch) outcomes.push(...(await commit([append])))
    return outcomes
  }

  /** A caller that saw another head than we remember may know better. */
  async function loadHeads(batch: readonly Append[]) {
    const unsure = batch.filter(({ session_id, after }) => {
      const head = heads.get(session_id)
      return head === undefined || (after !== undefined && after !== head)
    })
    if (unsure.length === 0) return
    const session_ids = [...new Set(unsure.map(({ session_id }) => session_id))]
    for (const [session_id, head] of await readHeads(db, session_ids)) heads.set(session_id, head)
  }

  function remember(session_id: string, head: number) {
    heads.delete(session_id)
    heads.set(session_id, head)
    if (heads.size > maxRememberedHeads) heads.delete(heads.keys().next().value!)
  }

  return {
    async append(session_id, entries, { after } = {}) {
      if (entries.length === 0) throw new AppError('invalid_request', 'there is nothing to append')
      if (entries.length > maxEntries) throw tooMany(entries.length)
      for (const { kind, json } of entries) {
        if (json.length > maxEventLength) throw tooLarge(kind, json.length)
      }
      return laneOf(lanes, session_id).push({ session_id, entries, after })
    },

    async tail(session_id, limit) {
      return readMeasured(session_id, toQuery(lastSizes, [session_id, limit]))
    },

    async read(session_id, { after, limit }) {
      if (limit === 1) return (await db.executeQuery(toQuery(read, [session_id, after, 1]))).rows
      return readMeasured(session_id, toQuery(nextSizes, [session_id, after, limit]))
    },

    async head(session_id) {
      return (await readHeads(db, [session_id])).get(session_id) ?? 0
    },

    forget: (session_id) => {
      heads.delete(session_id)
    },
  }
}

/**
 * Keeps other processes from appending to these sessions until the transaction ends.
 *
 * MySQL takes a share lock on the session's row, for the foreign key, before it inserts an event: a
 * lock on that row holds it off. PostgreSQL takes it afterwards, which would be a deadlock; there
 * the table is locked for the millisecond that it takes. SQLite's transactions hold the file.
 */
const holdOff: Record<
  Engine['kind'],
  (transaction: Transaction<Database>, session_ids: readonly string[]) => Promise<unknown>
> = {
  sqlite: async () => {},
  mysql: (transaction, session_ids) =>
    transaction
      .selectFrom('sessions')
      .select('session_id')
      .where('session_id', 'in', session_ids)
      .orderBy('session_id')
      .forUpdate()
      .execute(),
  postgres: (transaction) =>
    sql`lock table events in share row exclusive mode`.execute(transaction),
}

async function readHeads(db: Kysely<Database>, session_ids: readonly string[]) {
  const rows = await db
    .selectFrom('events')
    .select(({ fn }) => ['session_id', fn.max('seq').as('head')])
    .where('session_id', 'in', session_ids)
    .groupBy('session_id')
    .execute()
  const heads = new Map(session_ids.map((session_id) => [session_id, 0]))
  for (const { session_id, head } of rows) heads.set(session_id, Number(head))
  return heads
}

/**
 * A session has one lane, so that its appends keep their order; a lane that waits holds up no
 * other.
 */
function laneOf<T>(lanes: readonly T[], session_id: string): T {
  let hash = 0
  for (let i = 0; i < session_id.length; i += 1) hash = (hash * 31 + session_id.charCodeAt(i)) | 0
  return lanes[Math.abs(hash) % lanes.length]!
}

/**
 * The parameters in the order of their places. Building the text anew costs more than the read
 * itself.
 */
function toQuery<R>(compiled: CompiledQuery<R>, parameters: SqlValue[]): CompiledQuery<R> {
  return { ...compiled, parameters }
}

/** Gives each append of a batch its rows, or the error that it no longer fits. */
function place(batch: readonly Append[], heads: ReadonlyMap<string, number>) {
  const next = new Map<string, number>()
  const rows: [string, number, string, string][] = []
  const outcomes = batch.map(({ session_id, entries, after }): Appended | Error => {
    const head = next.get(session_id) ?? heads.get(session_id) ?? 0
    if (after !== undefined && after !== head) return movedOn(session_id, after, head)
    entries.forEach(({ kind, json }, index) => {
      rows.push([session_id, head + 1 + index, kind, json])
    })
    next.set(session_id, head + entries.length)
    return { first: head + 1, last: head + entries.length }
  })
  return { rows, outcomes, next }
}

function isAway(error: unknown): boolean {
  return isAppError(error, 'store_unavailable') || isAppError(error, 'storage_full')
}

function movedOn(session_id: string, after: number, head: number): AppError {
  return new AppError(
    'conflict',
    `session ${session_id} has gone on: read its events and try again`,
    {
      data: { after, head },
    },
  )
}

function tooMany(count: number): AppError {
  return new AppError('too_large', `${count} events in one append are over the limit`, {
    data: { limit: maxEntries },
  })
}

function tooLarge(kind: string, length: number): AppError {
  return new AppError('too_large', `a ${kind} event of ${length} characters is over the limit`, {
    data: { limit: maxEventLength },
  })
}
