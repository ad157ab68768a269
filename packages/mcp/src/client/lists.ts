import { isPlainObject } from '@dataagent/schema/base'
import { protocolError } from '../errors.ts'
import { describe, quote } from '../protocol/words.ts'

/** A list is warned of no more often than this. */
const warningsMax = 10

export interface ListSource {
  /** `tools/list` */
  method: string
  /** The field of a page that holds its items. */
  key: string
  limits: { pages: number; items: number }
  /** Gives one page: the result of the server as it is. */
  page(params: Record<string, unknown> | undefined): Promise<unknown>
}

/**
 * All items of all pages. A bare array is taken for a list of one page. A list that does not end is
 * an error, as is a result that is no list.
 */
export async function collectList({ method, key, limits, page }: ListSource): Promise<unknown[]> {
  const items: unknown[] = []
  const cursors = new Set<string>()
  let cursor: string | undefined
  for (let pages = 1; pages <= limits.pages; pages++) {
    const result = await page(cursor === undefined ? undefined : { cursor })
    const found = toItems(method, key, result)
    if (items.length + found.length > limits.items) {
      throw endless(method, `more than ${limits.items} items`)
    }
    items.push(...found)
    cursor = nextCursor(result)
    if (cursor === undefined) return items
    if (cursors.has(cursor)) throw endless(method, 'a cursor came twice')
    cursors.add(cursor)
  }
  throw endless(method, `more than ${limits.pages} pages`)
}

export interface NamedItems {
  /** What the items are, for a warning: `tool`. */
  what: string
  /** The field that tells them apart. */
  field: string
  onWarning(text: string): void
}

/** The items that have a name of their own, in order; of two alike the first. */
export function withoutUnnamed<T>(items: unknown[], { what, field, onWarning }: NamedItems): T[] {
  const named = new Map<string, unknown>()
  const twice = new Set<string>()
  let nameless = 0
  for (const item of items) {
    const name = isPlainObject(item) ? item[field] : undefined
    if (typeof name !== 'string' || name === '') nameless += 1
    else if (named.has(name)) twice.add(name)
    else named.set(name, item)
  }
  if (nameless > 0) onWarning(`skipped: ${nameless} × ${what} without a ${field}`)
  for (const name of [...twice].slice(0, warningsMax)) {
    onWarning(`skipped: a second ${what} ${quote(name)}`)
  }
  if (twice.size > warningsMax) onWarning(`skipped: a second ${what} of ${twice.size} names`)
  return [...named.values()] as T[]
}

function toItems(method: string, key: string, result: unknown): unknown[] {
  if (Array.isArray(result)) return result
  if (isPlainObject(result) && Array.isArray(result[key])) return result[key]
  const found = isPlainObject(result) ? `an object without "${key}"` : describe(result)
  throw protocolError(`the server answered "${method}" with ${found}, not a list`)
}

function nextCursor(result: unknown): string | undefined {
  if (!isPlainObject(result)) return undefined
  return typeof result.nextCursor === 'string' ? result.nextCursor : undefined
}

function endless(method: string, why: string) {
  return protocolError(`the server answered "${method}" with an endless list: ${why}`)
}
