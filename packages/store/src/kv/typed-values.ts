import { AppError, isAppError, readJson } from '@dataagent/schema'
import type { Expiring, Kv } from './kv.ts'

export interface TypedValuesOptions<T> {
  kv: Kv
  /** Put before each id to make the key: `mcp:session:`. */
  prefix: string
  /** The schema's `parse`: what was stored is input like any other. */
  parse(stored: unknown): T
}

/** One kind of value under one prefix, kept as JSON. */
export interface TypedValues<T> {
  /** Undefined when absent; rejects with `internal` when what is stored does not parse. */
  get(id: string): Promise<T | undefined>
  set(id: string, value: T, options?: Expiring): Promise<void>
  setIfAbsent(id: string, value: T, options?: Expiring): Promise<boolean>
  /** Gets and deletes in one step; of any number of callers one gets it. */
  take(id: string): Promise<T | undefined>
  delete(id: string): Promise<boolean>
}

/** Typed JSON values over a KV. All may reject as the KV's own methods do. */
export function createTypedValues<T>({ kv, prefix, parse }: TypedValuesOptions<T>): TypedValues<T> {
  function read(text: string | undefined): T | undefined {
    if (text === undefined) return undefined
    try {
      return parse(readJson(text))
    } catch (cause) {
      const message = `What is stored under "${prefix}" is not what this version writes.`
      // The text that does not parse may be a secret.
      throw new AppError('internal', message, isAppError(cause, 'parse_error') ? {} : { cause })
    }
  }

  return {
    get: async (id) => read(await kv.get(prefix + id)),
    set: (id, value, options) => kv.set(prefix + id, JSON.stringify(value), options),
    setIfAbsent: (id, value, options) =>
      kv.setIfAbsent(prefix + id, JSON.stringify(value), options),
    take: async (id) => read(await kv.take(prefix + id)),
    delete: (id) => kv.delete(prefix + id),
  }
}
