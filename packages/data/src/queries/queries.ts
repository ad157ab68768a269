import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '@dataagent/guard'
import { isAdministrator, type Principal } from '@dataagent/hub'
import { AppError, type DataRow, isAppError, workspaceSourceId } from '@dataagent/schema'
import { createPlaces, type Places } from '../engines/index.ts'
import type { DataStore, QueryRow } from '../ports.ts'
import { ignoreMissing, type KeptResults } from '../results/index.ts'
import type { OpenSource, Sources } from '../sources/index.ts'
import type { AskContext, CopyContext, NewQuery, Queries } from './contract.ts'
import { countRows } from './count-rows.ts'
import { createFirstRows } from './first-rows.ts'
import { toQueryResult } from './to-query-result.ts'

export interface QueriesOptions {
  store: Pick<DataStore, 'queries'>
  sources: Pick<Sources, 'open'>
  results: KeptResults
  clock?: Clock | undefined
  /** Rows of one result that are kept. Default 100,000. */
  keepRows?: number | undefined
  /** What a query may take, counting and all. Default 60 s. */
  timeoutMs?: number | undefined
  /** How long queries and their rows are kept. Default 30 days. */
  retentionMs?: number | undefined
  /** Queries of one person at once; others of theirs wait. Default 2. */
  perUser?: number | undefined
  /** Bytes of kept rows that are copied with a session, the newest first. Default 256 MiB. */
  copyBytes?: number | undefined
}

const day = 86_400_000
const defaultShown = 50
const maxShown = 1_000
/** Characters of one statement. */
export const sqlMax = 20_000
const sweepLimit = 500
const planRows = 1_000

export function createQueries(options: QueriesOptions): Queries {
  const { store, sources, results, clock = systemClock } = options
  const { keepRows = 100_000, timeoutMs = 60_000, retentionMs = 30 * day } = options
  const { copyBytes = 256 * 1024 * 1024 } = options
  const takePlace = createPersonalPlaces(options.perUser ?? 2)

  async function ask({ signal }: AskContext, asked: Asked) {
    const { query, open, key, elapsed } = asked
    const left = () => {
      const ms = Math.min(query.timeoutMs ?? timeoutMs, timeoutMs) - elapsed()
      return Math.max(1, Math.round(ms))
    }
    const running = await open.engine.query(query.sql, { signal, timeoutMs: left() })
    const first = createFirstRows(running, { keepRows, shown: toShown(query.limit) })
    const { rows: kept_rows, isCut } = await results.keep(key, first.batches)
    const elapsed_ms = elapsed()
    const hasMore = first.hasMore || isCut
    const count = { signal, left }
    const row_count = hasMore ? await countRows(open.engine, query.sql, count) : kept_rows
    return { columns: running.columns, rows: first.rows, kept_rows, elapsed_ms, row_count }
  }

  async function find({ principal, session_id }: AskContext, asked: string): Promise<QueryRow> {
    const { tenant_id } = principal
    const scope_id = scopeOf(principal, session_id)
    const number = /^q([1-9]\d{0,5})$/.exec(asked)?.[1]
    const row =
      number === undefined
        ? await store.queries.get(tenant_id, asked)
        : await store.queries.getNumber(tenant_id, scope_id, Number(number))
    const isElsewhere = session_id !== undefined && row?.scope_id !== scope_id
    if (row === undefined || isElsewhere || !maySee(principal, row)) throw unknownQuery(asked)
    if (row.error !== null) throw new AppError('invalid_request', `${asked} failed: ${row.error}`)
    return row
  }

  return {
    timeoutMs,
    async run(context, query) {
      const { principal, session_id } = context
      requireUser(principal)
      if (query.sql.length > sqlMax) throw tooLong()
      const open = await sources.open(principal, query.source)
      const { source_id, name } = open.source
      using _place = await takePlace(context)
      const begun = clock.monotonic()
      const elapsed = () => Math.round(clock.monotonic() - begun)
      const key = { tenant_id: principal.tenant_id, query_id: randomUUID() }
      const facts = {
        ...{ ...key, scope_id: scopeOf(principal, session_id), user_id: principal.user_id },
        ...{ source_id, source_name: name, sql: query.sql, purpose: query.purpose ?? null },
        ...{ as_of: Math.floor(clock.now()) },
        verified_question_id: query.verified_question_id ?? null,
      }
      try {
        const given = await ask(context, { query, open, key, elapsed })
        return toQueryResult(await store.queries.add({ ...facts, ...given, error: null }))
      } catch (error) {
        await results.remove(key).catch(() => {})
        const told = isAppError(error) ? error.message : 'It failed unexpectedly.'
        const nothing = { columns: [], rows: [], row_count: null, kept_rows: 0 }
        // What is told is why it failed, also where that cannot be recorded.
        const failed = { ...facts, ...nothing, elapsed_ms: elapsed(), error: told }
        await store.queries.add(failed).catch(() => {})
        throw error
      }
    },
    get: async (context, query) => toQueryResult(await find(context, query)),
    async list({ principal, session_id }) {
      const scope_id = scopeOf(principal, session_id)
      const rows = await store.queries.listScope(principal.tenant_id, scope_id, { limit: 1_000 })
      return rows.filter((row) => maySee(principal, row)).map(toQueryResult)
    },
    async rows(context, query_id, page) {
      return results.read(await find(context, query_id), page)
    },
    async explain(context, query_id) {
      const { principal, signal } = context
      const { sql, source_id } = await find(context, query_id)
      const { engine } = await sources.open(principal, source_id)
      using _place = await takePlace(context)
      const { columns, batches } = await engine.query(`EXPLAIN ${sql}`, { signal, timeoutMs })
      const rows: DataRow[] = []
      for await (const batch of batches) {
        rows.push(...batch)
        if (rows.length >= planRows) break
      }
      return { columns: [...columns], rows: rows.slice(0, planRows) }
    },
    async *stream(context, query_id) {
      yield* results.stream(await find(context, query_id), context.signal)
    },
    async copySession(context, scopes) {
      const { tenant_id } = context.principal
      const copied = await store.queries.copyScope(tenant_id, scopes)
      let left = copyBytes
      for (const { query_id, copy_id } of copied.toReversed()) {
        const [from, to] = [query_id, copy_id].map((id) => ({ tenant_id, query_id: id }))
        using _place = await takePlace(context)
        const limits = { maxBytes: left, signal: context.signal }
        // A query that failed has none, and of one that is old they may be gone.
        left -= (await results.copy(from!, to!, limits).catch(ignoreMissing)) ?? 0
      }
      return new Map(copied.map(({ query_id, copy_id }) => [query_id, copy_id]))
    },
    async sweep() {
      let removed = 0
      const before = clock.now() - retentionMs
      while ((await store.queries.deleteBefore(before, sweepLimit)) === sweepLimit);
      for (;;) {
        const gone = await store.queries.listDeleted(sweepLimit)
        for (const key of gone) await results.remove(key)
        await store.queries.forgetDeleted(gone)
        removed += gone.length
        if (gone.length < sweepLimit) return { removed }
      }
    },
  }
}

interface Asked {
  query: NewQuery
  open: OpenSource
  key: Pick<QueryRow, 'tenant_id' | 'query_id'>
  /** Milliseconds since it began. */
  elapsed(): number
}

/** Processes and connections are few, and are everybody's: one person does not have all of them. */
function createPersonalPlaces(most: number) {
  const ofPersons = new Map<string, Places>()
  return async ({ principal, signal }: CopyContext): Promise<Disposable> => {
    const person = JSON.stringify([principal.tenant_id, principal.user_id])
    const places = ofPersons.get(person) ?? createPlaces({ most })
    ofPersons.set(person, places)
    const giveBack = await places.take(signal)
    return {
      [Symbol.dispose]() {
        giveBack()
        if (places.areFree()) ofPersons.delete(person)
      },
    }
  }
}

function toShown(limit = defaultShown): number {
  return Math.max(1, Math.min(limit, maxShown))
}

function scopeOf({ user_id }: Principal, session_id: string | undefined): string {
  return session_id ?? `user:${user_id}`
}

/** A person's own files, and so what was asked of them, are shown to nobody else. */
function maySee(principal: Principal, { user_id, source_id }: QueryRow): boolean {
  if (user_id === principal.user_id) return true
  return source_id !== workspaceSourceId && isAdministrator(principal)
}

function requireUser(principal: Principal): asserts principal is Principal & { user_id: string } {
  if (principal.user_id !== null) return
  throw new AppError('forbidden', 'Queries are run for a person: the caller is none.')
}

function tooLong(): AppError {
  return new AppError('too_large', `The SQL has more than ${sqlMax} characters. Write it shorter.`)
}

function unknownQuery(asked: string): AppError {
  return new AppError(
    'not_found',
    `There is no query ${asked.slice(0, 100)} in this session. Run it with run_sql first.`,
  )
}
