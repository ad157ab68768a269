import { AppError, isAppError } from '@dataagent/schema'
import type { CompiledQuery, Kysely } from 'kysely'
import { createCommitQueue } from './commit-queue.ts'
import type { Engine, SqlValue } from './engine.ts'
import { isDeadlock } from './store-error.ts'
import type { Database } from './tables.ts'

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
  /** The last `limit` events, oldest first. Its cost does not depend on the log's length. */
  tail(session_id: string, limit: number): Promise<LoggedEvent[]>
  /** Events with a seq above `after`, oldest first. */
  read(session_id: string, page: { after: number; limit: number }): Promise<LoggedEvent[]>
  /** The last seq; 0 for a log that is empty. */
  head(session_id: string): Promise<number>
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
const maxRememberedHeads = 10_000
const maxAttempts = 20

/**
 * The append-only log of every session, with group commit. The next seq comes from a remembered
 * head; the primary key refuses it where another process was faster, and then the head is read
 * again.
 */
export function createEventLog({ db, engine }: { db: Kysely<Database>; engine: Engine }): EventLog {
  const heads = new Map<string, number>()
  const queue = createCommitQueue<Append, Appended>({
    commit,
    weigh: ({ entries }) => entries.reduce((sum, { json }) => sum + json.length, 0),
    maxItems: 500,
    maxWeight: 1024 * 1024,
  })

  const select = db
    .selectFrom('events')
    .select(['seq', 'kind', 'json'])
    .where('session_id', '=', '')
  const tail = select.orderBy('seq', 'desc').limit(0).compile()
  const read = select.where('seq', '>', 0).orderBy('seq').limit(0).compile()

  async function commit(batch: readonly Append[]): Promise<(Appended | Error)[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await loadHeads(batch)
        const placed = place(batch, heads)
        await engine.insertMany('events', ['session_id', 'seq', 'kind', 'json'], placed.rows)
        for (const [session_id, head] of placed.heads) remember(session_id, head)
        return placed.outcomes
      } catch (error) {
        for (const { session_id } of batch) heads.delete(session_id)
        if (isRace(error) && attempt < maxAttempts) continue
        if (batch.length > 1 && !isAway(error)) return commitOneByOne(batch)
        return batch.map(() => error as Error)
      }
    }
  }

  /** One bad append must not take the others with it. */
  async function commitOneByOne(batch: readonly Append[]) {
    const outcomes: (Appended | Error)[] = []
    for (const append of batch) outcomes.push(...(await commit([append])))
    return outcomes
  }

  /** A caller that saw more than we remember has seen another process's append. */
  async function loadHeads(batch: readonly Append[]) {
    const unknown = batch
      .filter(({ session_id, after = 0 }) => after > (heads.get(session_id) ?? -1))
      .map(({ session_id }) => session_id)
    if (unknown.length === 0) return
    const rows = await db
      .selectFrom('events')
      .select(({ fn }) => ['session_id', fn.max('seq').as('head')])
      .where('session_id', 'in', [...new Set(unknown)])
      .groupBy('session_id')
      .execute()
    for (const session_id of unknown) heads.set(session_id, 0)
    for (const { session_id, head } of rows) heads.set(session_id, Number(head))
  }

  function remember(session_id: string, head: number) {
    heads.delete(session_id)
    heads.set(session_id, head)
    if (heads.size > maxRememberedHeads) heads.delete(heads.keys().next().value!)
  }

  return {
    async append(session_id, entries, { after } = {}) {
      if (entries.length === 0) throw new AppError('invalid_request', 'there is nothing to append')
      for (const { kind, json } of entries) {
        if (json.length > maxEventLength) throw tooLarge(kind, json.length)
      }
      return queue.push({ session_id, entries, after })
    },

    async tail(session_id, limit) {
      const { rows } = await db.executeQuery(toQuery(tail, [session_id, limit]))
      return rows.reverse()
    },

    async read(session_id, { after, limit }) {
      return (await db.executeQuery(toQuery(read, [session_id, after, limit]))).rows
    },

    async head(session_id) {
      const row = await db
        .selectFrom('events')
        .select(({ fn }) => fn.max('seq').as('head'))
        .where('session_id', '=', session_id)
        .executeTakeFirst()
      return Number(row?.head ?? 0)
    },
  }
}

/** The parameters in the order of their places. Building the text anew costs more than the read itself. */
function toQuery<R>(compiled: CompiledQuery<R>, parameters: SqlValue[]): CompiledQuery<R> {
  return { ...compiled, parameters }
}

/** Gives each append of a batch its rows, or the error that it no longer fits. */
function place(batch: readonly Append[], heads: ReadonlyMap<string, number>) {
  const next = new Map<string, number>()
  const rows: SqlValue[][] = []
  const outcomes = batch.map(({ session_id, entries, after }): Appended | Error => {
    const head = next.get(session_id) ?? heads.get(session_id) ?? 0
    if (after !== undefined && after !== head) return movedOn(session_id, after, head)
    entries.forEach(({ kind, json }, index) => {
      rows.push([session_id, head + 1 + index, kind, json])
    })
    next.set(session_id, head + entries.length)
    return { first: head + 1, last: head + entries.length }
  })
  return { rows, outcomes, heads: next }
}

function isRace(error: unknown): boolean {
  return isAppError(error, 'conflict') || isDeadlock(error)
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

function tooLarge(kind: string, length: number): AppError {
  return new AppError('too_large', `a ${kind} event of ${length} characters is over the limit`, {
    data: { limit: maxEventLength },
  })
}
