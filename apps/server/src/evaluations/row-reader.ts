import type { Asker, KeptRows, ResultTable } from '@dataagent/harbor'
import { AppError, isAppError } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'
import type { DataRoom, Platform } from '../platform/index.ts'
import { hasFeature } from '../tenants/index.ts'

export interface RowReaderOptions extends Pick<Platform, 'data' | 'tenants' | 'log'> {
  principal: Principal
  /** What `expected_sql` is run on, by id or name; null where nothing can be compared. */
  sql_source: string | null
}

/** Comparing takes the processor that everybody has: of larger results that is no small while. */
const rowsMax = 1_000

/** Runs expected queries and reads rows as whoever began the run would. */
export function createRowReader(options: RowReaderOptions): Pick<Asker, 'runSql' | 'readRows'> {
  const { principal, sql_source: source, log } = options

  async function run(source: string, sql: string, signal: AbortSignal): Promise<ResultTable> {
    const { queries } = dataOf(options)
    const query = { source, sql, purpose: 'Expected of an evaluation', limit: 1 }
    const { columns, ...kept } = await queries.run({ principal, signal }, query)
    return { columns: columns.map(({ name }) => name), rows: await read(kept, signal) }
  }

  async function read({ query_id, kept_rows }: KeptRows, signal: AbortSignal) {
    if (kept_rows > rowsMax) throw tooMany(kept_rows)
    const page = { offset: 0, limit: rowsMax }
    return dataOf(options).queries.rows({ principal, signal }, query_id, page)
  }

  /** What is no fault of the caller's is told in the log alone. */
  async function told<T>(reading: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await reading
    } catch (error) {
      if (isAppError(error) || signal.aborted) throw error
      log.error({ error, tenant_id: principal.tenant_id }, 'rows of an evaluation were not read')
      throw new AppError('internal', 'It failed: see the log of the server.', { cause: error })
    }
  }

  return {
    readRows: (kept, { signal }) => told(read(kept, signal), signal),
    ...(source !== null && {
      runSql: (sql: string, { signal }: { signal: AbortSignal }) =>
        told(run(source, sql, signal), signal),
    }),
  }
}

function dataOf({ data, tenants, principal }: RowReaderOptions): DataRoom {
  if (data && hasFeature(tenants.featuresOf(principal.tenant_id), 'data')) return data
  throw new AppError('forbidden', 'Data is switched off, or your organisation may not use it.')
}

function tooMany(count: number): AppError {
  const told = `These are ${count} rows; a run of the server compares at most ${rowsMax}.`
  return new AppError('too_large', `${told} dataagent harbor run compares more.`)
}
