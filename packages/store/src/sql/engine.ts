import type { Dialect } from 'kysely'

export type SqlValue = string | number | bigint | null | Uint8Array

export interface SqlResult {
  rows: Record<string, unknown>[]
  affected: number
}

/** What one database kind must bring. Everything above it is the same for all three. */
export interface Engine {
  kind: 'sqlite' | 'mysql' | 'postgres'
  dialect: Dialect
  /**
   * Inserts all rows or none, in one durable commit. Throws an AppError as `toStoreError` makes it.
   */
  insertMany(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
  ): Promise<void>
  /** Runs `work` while no other process runs its own; waits at most `timeoutMs` for its turn. */
  exclusively<T>(timeoutMs: number, work: () => Promise<T>): Promise<T>
  /** Connections open now, for health pages and leak tests. */
  connections(): number
  /** Waits for what is under way; whatever is asked afterwards throws `store_unavailable`. */
  close(): Promise<void>
}

/**
 * Parameters as every driver takes them: no booleans, no undefined, no objects that a driver would
 * expand.
 */
export function toSqlValues(parameters: readonly unknown[]): SqlValue[] {
  return parameters.map((value) => {
    if (value === null || typeof value === 'string' || typeof value === 'bigint') return value
    if (typeof value === 'number' && Number.isFinite(value)) return value
    if (typeof value === 'boolean') return value ? 1 : 0
    if (value instanceof Uint8Array) return value
    throw new TypeError(`a ${value === undefined ? 'undefined' : typeof value} cannot be stored`)
  })
}
