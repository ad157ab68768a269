import type { Clinic } from './open-database.ts'

type Parameters = Record<string, string | number | null>

/** Rows of a query; `T` is what its columns are. */
export function all<T>(clinic: Clinic, sql: string, parameters: Parameters = {}): T[] {
  return clinic.prepare(sql).all(parameters) as T[]
}

export function first<T>(clinic: Clinic, sql: string, parameters: Parameters = {}): T | undefined {
  return clinic.prepare(sql).get(parameters) as T | undefined
}
