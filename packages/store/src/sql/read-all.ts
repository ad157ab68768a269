import { setImmediate } from 'node:timers/promises'
import type { Engine } from './engine.ts'

/** No limit, in words that every database takes. */
const maxInteger = 2 ** 31 - 1

/** SQLite reads while the process waits: it is asked for parts, and others are let in between. */
export async function readAll<Row>(
  kind: Engine['kind'],
  atOnce: number,
  select: (limit: number, last: Row | undefined) => { execute(): Promise<Row[]> },
): Promise<Row[]> {
  if (kind !== 'sqlite') return select(maxInteger, undefined).execute()
  const rows: Row[] = []
  for (;;) {
    const found = await select(atOnce, rows.at(-1)).execute()
    for (const row of found) rows.push(row)
    if (found.length < atOnce) return rows
    await setImmediate()
  }
}
