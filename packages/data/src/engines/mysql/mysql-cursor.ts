import { AppError } from '@dataagent/schema'
import type { FieldPacket } from 'mysql2'
import { createBatch } from '../batch.ts'
import type { Lease } from '../pool.ts'
import type { Cursor } from '../running-query.ts'
import { succeedsWithin } from '../within.ts'
import type { MysqlLink } from './connect.ts'
import { toMysqlError } from './errors.ts'
import { type MysqlColumns, toMysqlColumns } from './values.ts'

export interface MysqlCursorNeeds {
  lease: Lease<MysqlLink>
  sql: string
  timeoutMs: number
  signal: AbortSignal
  /** Has the server end what the connection runs. Never rejects. */
  killQuery(threadId: number): Promise<void>
}

const rollbackMs = 2_000
const killMs = 3_000

/** Runs `sql` in a transaction that cannot write, its rows as they are asked for. */
export async function openMysqlCursor(needs: MysqlCursorNeeds): Promise<Cursor> {
  const { lease, signal } = needs
  const link = lease.held
  let rows: RowReader | undefined
  let closing: Promise<void> | undefined

  async function end(): Promise<void> {
    if (rows?.hasEnded() && (await succeedsWithin(link.ask('ROLLBACK'), rollbackMs))) {
      return await lease.release({ spent: usesVariables(needs.sql) })
    }
    await Promise.all([needs.killQuery(link.threadId), lease.release({ spent: true })])
  }

  const close = () => {
    closing ??= end()
    return closing
  }
  const onAbort = () => void close()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await begin(link, needs.timeoutMs)
    rows = readRows(link, needs.sql)
    const { next } = rows
    const columns = await rows.columns()
    return { columns, close, next: () => next().catch(fail) }
  } catch (error) {
    await close()
    return fail(error)
  } finally {
    signal.removeEventListener('abort', onAbort)
  }

  function fail(error: unknown): never {
    throw link.fault() ?? toMysqlError(error)
  }
}

/** They would be there for whoever has the connection next. */
function usesVariables(sql: string): boolean {
  return sql.includes('@')
}

/**
 * The server's own limit comes after ours: some functions that it stops (SLEEP, BENCHMARK) give a
 * value as if they had ended.
 */
async function begin({ ask, version }: MysqlLink, askedMs: number): Promise<void> {
  const timeoutMs = askedMs + killMs
  const limit = /MariaDB/i.test(version)
    ? `max_statement_time = ${timeoutMs / 1_000}`
    : `max_execution_time = ${Math.ceil(timeoutMs)}`
  await ask(`SET SESSION ${limit}, net_write_timeout = ${Math.ceil(timeoutMs / 1_000) + 10}`)
  await ask('START TRANSACTION READ ONLY')
}

type RowReader = ReturnType<typeof readRows>

/** One batch is read ahead; then the connection waits. */
function readRows({ connection, gone }: MysqlLink, sql: string) {
  const batch = createBatch()
  const started = Promise.withResolvers<MysqlColumns>()
  let found: MysqlColumns | undefined
  let hasEnded = false
  let failure: unknown
  let wake: (() => void) | undefined

  const settle = (error?: unknown) => {
    if (hasEnded) return
    hasEnded = true
    failure = error
    started.reject(error ?? new AppError('forbidden', 'The statement has given no rows.'))
    wake?.()
  }
  started.promise.catch(() => {})
  const query = connection.query({ sql, rowsAsArray: true })
  query.on('fields', (fields: FieldPacket[] | undefined) => {
    if (fields === undefined) return
    found = toMysqlColumns(fields)
    started.resolve(found)
  })
  query.on('result', (row: unknown) => {
    if (found === undefined || !Array.isArray(row)) return
    batch.add(found.toRow(row))
    if (!batch.isFull) return
    connection.pause()
    wake?.()
  })
  query.on('error', settle)
  void gone.then(() =>
    settle(new AppError('unavailable', 'The connection to the database has ended.')),
  )
  query.on('end', () => settle())

  return {
    hasEnded: () => hasEnded,
    columns: async () => (await started.promise).columns,
    async next() {
      while (!batch.isFull && !hasEnded) await new Promise<void>((resolve) => (wake = resolve))
      if (batch.isEmpty && failure !== undefined) throw failure
      const rows = batch.isEmpty ? undefined : batch.take()
      if (!hasEnded) connection.resume()
      return rows
    },
  }
}
