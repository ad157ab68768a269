import type { Kv } from './kv.ts'

/**
 * All keys that begin with `prefix`, page by page, as `list` gives them: perhaps one of them twice.
 */
export async function* keysOf(kv: Kv, prefix: string): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const page = await kv.list(prefix, cursor)
    yield* page.keys
    cursor = page.cursor
  } while (cursor !== undefined)
}

/**
 * Deletes the values whose keys begin with `prefix` (never empty) and gives their number. Not one
 * step: what is set meanwhile may stay.
 */
export async function deleteByPrefix(kv: Kv, prefix: string): Promise<number> {
  let deleted = 0
  for await (const key of keysOf(kv, prefix)) {
    if (await kv.delete(key)) deleted++
  }
  return deleted
}
