import { isAppError } from '@dataagent/schema'
import type { Engine } from '../engines/index.ts'

export interface CountOptions {
  signal: AbortSignal
  /** Milliseconds that are left for it. */
  left(): number
}

/** How many rows a query gives in all; null where the time is over before that is known. */
export async function countRows(
  engine: Engine,
  sql: string,
  options: CountOptions,
): Promise<number | null> {
  try {
    return await countInside(engine, sql, options)
  } catch (error) {
    if (options.signal.aborted) throw error
    if (isAppError(error, 'timeout')) return null
  }
  // Not every query can stand within another: one with two columns of a name, a SHOW.
  try {
    return await countByReading(engine, sql, options)
  } catch (error) {
    if (options.signal.aborted) throw error
    return null
  }
}

async function countInside(engine: Engine, sql: string, { signal, left }: CountOptions) {
  const counting = `SELECT count(*) AS counted FROM (${withoutEnd(sql)}\n) AS given`
  const { batches } = await engine.query(counting, { signal, timeoutMs: left() })
  for await (const [row] of batches) {
    const counted = Number(row?.[0])
    return Number.isSafeInteger(counted) ? counted : null
  }
  return null
}

async function countByReading(engine: Engine, sql: string, { signal, left }: CountOptions) {
  let counted = 0
  const { batches } = await engine.query(sql, { signal, timeoutMs: left() })
  for await (const batch of batches) counted += batch.length
  return counted
}

/** A semicolon at the end is no part of a query. */
function withoutEnd(sql: string): string {
  return sql.trimEnd().replace(/[;\s]+$/, '')
}
