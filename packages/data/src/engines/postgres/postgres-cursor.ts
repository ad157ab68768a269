import type { DataColumn, DataRow } from '@dataagent/schema'
import type { FieldDef } from 'pg'
import type { Verb } from '../../sql-gate/index.ts'
import { sizeOf } from '../batch.ts'
import type { Lease } from '../pool.ts'
import { batchBytes, batchRows } from '../runner/messages.ts'
import type { Cursor } from '../running-query.ts'
import { succeedsWithin } from '../within.ts'
import type { PostgresLink } from './connect.ts'
import { toPostgresError } from './errors.ts'
import type { RowReader } from './row-reader.ts'
import { toKind, toTypeName } from './values.ts'

export interface PostgresCursorNeeds {
  lease: Lease<PostgresLink>
  sql: string
  verb: Verb
  timeoutMs: number
  signal: AbortSignal
  /** Has the server end what the connection runs. Never rejects. */
  cancel(key: PostgresLink['cancelKey']): Promise<void>
}

/** A fetch is about a batch, by the size of the rows before it; wider ones come in several. */
const firstFetch = 200
const rollbackMs = 2_000

/** Runs `sql` in a transaction that cannot write, its rows as they are asked for. */
export async function openPostgresCursor(needs: PostgresCursorNeeds): Promise<Cursor> {
  const { lease, signal } = needs
  const link = lease.held
  /** Where nothing is being read: whether something else is under way. */
  let isBusy = true
  let reading: RowReader | undefined
  let closing: Promise<void> | undefined

  async function end(): Promise<void> {
    const isFree = reading === undefined ? !isBusy : reading.hasEnded()
    if (isFree && (await succeedsWithin(link.ask('ROLLBACK'), rollbackMs))) {
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
    if (needs.verb !== 'select') {
      reading = link.read(needs.sql, { one: true })
      const columns = (await reading.fields()).map((field) => toColumn(field))
      return { columns, close, next: () => reading!.next().catch(fail) }
    }
    await link.askOne(`DECLARE dataagent_rows NO SCROLL CURSOR FOR ${needs.sql}`)
    // Their types may have to be asked for, which cannot be done between rows.
    const { fields } = await link.ask('FETCH FORWARD 0 FROM dataagent_rows')
    const columns = await toColumns(link, fields)
    isBusy = false
    return { columns, close, next: createNext() }
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

  function createNext(): Cursor['next'] {
    let wanted = firstFetch
    let found = nothing
    return async function next() {
      reading ??= link.read(`FETCH FORWARD ${wanted} FROM dataagent_rows`, { one: false })
      const rows = await reading.next().catch(fail)
      if (rows !== undefined) {
        found = { rows: found.rows + rows.length, bytes: found.bytes + bytesOf(rows) }
        return rows
      }
      if (found.rows < wanted) return undefined
      wanted = nextFetch(found)
      found = nothing
      reading = undefined
      return await next()
    }
  }
}

const nothing = { rows: 0, bytes: 0 }

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
function nextFetch({ rows, bytes }: { rows: number; bytes: number }): number {
  const fitting = Math.floor((batchBytes * rows) / Math.max(1, bytes))
  return Math.max(1, Math.min(batchRows - 1, fitting))
}

function bytesOf(rows: readonly DataRow[]): number {
  return rows.reduce((sum, row) => sum + sizeOf(row), 0)
}

async function toColumns(link: PostgresLink, fields: readonly FieldDef[]): Promise<DataColumn[]> {
  const unknown = fields.filter((field) => typeOf(field) === undefined)
  const oids = [...new Set(unknown.map(({ dataTypeID }) => dataTypeID))]
  const found = oids.length === 0 ? new Map<number, string>() : await askTypes(link, oids)
  return fields.map((field) => toColumn(field, found))
}

function toColumn(field: FieldDef, types?: ReadonlyMap<number, string>): DataColumn {
  const { name, dataTypeID } = field
  const type = typeOf(field) ?? types?.get(dataTypeID) ?? 'unknown'
  return { name, type, kind: toKind(dataTypeID) }
}

function typeOf({ dataTypeID, dataTypeModifier }: FieldDef): string | undefined {
  return toTypeName(dataTypeID, dataTypeModifier)
}

async function askTypes(link: PostgresLink, oids: readonly number[]) {
  const list = oids.map(Number).join(', ')
  const { rows } = await link.ask(
    `SELECT oid, pg_catalog.format_type(oid, NULL) FROM pg_catalog.pg_type WHERE oid IN (${list})`,
  )
  return new Map(rows.map(([oid, name]) => [Number(oid), String(name)]))
}
