import type { DataColumn, DataRow } from '@dataagent/schema'
import type { Verb } from '../../sql-gate/index.ts'
import { sizeOf } from '../batch.ts'
import type { Lease } from '../pool.ts'
import { batchBytes, batchRows } from '../runner/messages.ts'
import type { Cursor } from '../running-query.ts'
import { succeedsWithin } from '../within.ts'
import type { PostgresLink } from './connect.ts'
import { toPostgresError } from './errors.ts'
import { createConversion, toKind, toTypeName } from './values.ts'

export interface PostgresCursorNeeds {
  lease: Lease<PostgresLink>
  sql: string
  verb: Verb
  timeoutMs: number
  signal: AbortSignal
  /** Has the server end what the connection runs. Never rejects. */
  cancel(key: PostgresLink['cancelKey']): Promise<void>
}

type Answer = Awaited<ReturnType<PostgresLink['ask']>>

const firstFetch = 200
const rollbackMs = 2_000

/** Runs `sql` in a transaction that cannot write, its rows as they are asked for. */
export async function openPostgresCursor(needs: PostgresCursorNeeds): Promise<Cursor> {
  const { lease, signal } = needs
  const link = lease.held
  let isBusy = true
  let closing: Promise<void> | undefined

  async function end(): Promise<void> {
    if (!isBusy && (await succeedsWithin(link.ask('ROLLBACK'), rollbackMs))) {
      return await lease.release({ spent: false })
    }
    await needs.cancel(link.cancelKey)
    await lease.release({ spent: true })
  }

  const close = () => {
    closing ??= end()
    return closing
  }
  const onAbort = () => void close()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await link.ask(toBegin(needs.timeoutMs))
    // Only a query can be declared; what else is let through gives few rows.
    const isDeclared = needs.verb === 'select'
    const answer = isDeclared ? await declare(link, needs.sql) : await link.askOne(needs.sql)
    const columns = await toColumns(link, answer)
    isBusy = false
    return { columns, close, next: createReader(answer, isDeclared) }
  } catch (error) {
    // A statement that the server has refused leaves nothing running.
    isBusy = link.fault() !== undefined || signal.aborted
    await close()
    return fail(error)
  } finally {
    signal.removeEventListener('abort', onAbort)
  }

  function fail(error: unknown): never {
    throw link.fault() ?? toPostgresError(error)
  }

  function createReader(first: Answer, isDeclared: boolean): Cursor['next'] {
    const toRow = createConversion(first.fields.map(({ dataTypeID }) => dataTypeID))
    let ready: Answer | undefined = first
    let wanted = firstFetch
    return async () => {
      const answer = ready ?? (await fetch(wanted).catch(fail))
      ready = undefined
      const rows = answer.rows.map(toRow)
      if (rows.length === 0) return undefined
      if (isDeclared) wanted = nextFetch(rows)
      else ready = { ...answer, rows: [] }
      return rows
    }
  }

  async function fetch(rows: number): Promise<Answer> {
    isBusy = true
    const answer = await link.ask(`FETCH FORWARD ${rows} FROM dataagent_rows`)
    isBusy = false
    return answer
  }
}

async function declare(link: PostgresLink, sql: string): Promise<Answer> {
  await link.askOne(`DECLARE dataagent_rows NO SCROLL CURSOR FOR ${sql}`)
  return await link.ask(`FETCH FORWARD ${firstFetch} FROM dataagent_rows`)
}

/** All in one message, of ours alone; what is set ends with the transaction. */
function toBegin(timeoutMs: number): string {
  const ms = Math.ceil(timeoutMs)
  return `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = ${ms};
    SET LOCAL lock_timeout = 5000;
    SET LOCAL idle_in_transaction_session_timeout = ${ms + 10_000};
    SET LOCAL standard_conforming_strings = on;
    SET LOCAL datestyle = 'ISO, YMD';
    SET LOCAL intervalstyle = 'iso_8601';
    SET LOCAL bytea_output = 'hex';
    SET LOCAL cursor_tuple_fraction = 1.0`
}

/** So many rows that they are about a batch, judged by the last ones. */
function nextFetch(rows: readonly DataRow[]): number {
  const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0) / rows.length
  return Math.max(1, Math.min(batchRows, Math.floor(batchBytes / Math.max(1, bytes))))
}

async function toColumns(link: PostgresLink, { fields }: Answer): Promise<DataColumn[]> {
  const named = fields.map(({ dataTypeID, dataTypeModifier }) =>
    toTypeName(dataTypeID, dataTypeModifier),
  )
  const unknown = fields.filter((_, at) => named[at] === undefined)
  const oids = [...new Set(unknown.map(({ dataTypeID }) => dataTypeID))]
  const found = oids.length === 0 ? new Map<number, string>() : await askTypes(link, oids)
  return fields.map(({ name, dataTypeID }, at) => ({
    name,
    type: named[at] ?? found.get(dataTypeID) ?? 'unknown',
    kind: toKind(dataTypeID),
  }))
}

async function askTypes(link: PostgresLink, oids: readonly number[]) {
  const list = oids.map(Number).join(', ')
  const { rows } = await link.ask(
    `SELECT oid, pg_catalog.format_type(oid, NULL) FROM pg_catalog.pg_type WHERE oid IN (${list})`,
  )
  return new Map(rows.map(([oid, name]) => [Number(oid), String(name)]))
}
