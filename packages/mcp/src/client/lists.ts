import { isPlainObject } from '@dataagent/schema/base'
import { McpError, protocolError } from '../errors.ts'
import { estimateSize } from '../protocol/size.ts'
import { describe, quote } from '../protocol/words.ts'
import type { ListLimits } from './contract.ts'

/** A list is warned of no more often than this. */
const warningsMax = 10

/** A cursor is sent back as it came, and kept until the list is complete. */
const cursorMax = 4_096

/** The limits given, and those that go without saying. */
export function toListLimits(given: ListLimits = {}) {
  const { pages = 1_000, items = 10_000, bytes = 32 * 1024 * 1024, cut = false } = given
  return { pages, items, bytes, cut }
}

export interface ListSource {
  /** `tools/list` */
  method: string
  /** The field of a page that holds its items. */
  key: string
  limits: ReturnType<typeof toListLimits>
  /** Gives one page: the result of the server as it is. */
  page(params: Record<string, unknown> | undefined): Promise<unknown>
  onWarning(text: string): void
}

/**
 * All items of all pages. A bare array is taken for a list of one page. A list that does not end or
 * is too large is an error, as is a result that is no list.
 */
export async function collectList(source: ListSource): Promise<unknown[]> {
  const { method, key, limits, page, onWarning } = source
  const items: unknown[] = []
  const cursors = new Set<string>()
  let cursor: string | undefined
  let bytes = 0
  for (let pages = 1; pages <= limits.pages; pages++) {
    const result = await page(cursor === undefined ? undefined : { cursor })
    bytes += estimateSize(result, limits.bytes - bytes)
    if (bytes > limits.bytes) throw tooLarge(method, `more than ${limits.bytes} bytes in all`)
    const found = toItems(method, key, result)
    const room = limits.items - items.length
    const isOver = found.length > room
    if (isOver && !limits.cut) throw endless(method, `more than ${limits.items} items`)
    for (const item of isOver ? found.slice(0, room) : found) items.push(item)
    if (isOver) {
      onWarning(`${quote(method)} has more than ${limits.items} items: the first are taken`)
      return items
    }
    cursor = nextCursor(method, result)
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

function nextCursor(method: string, result: unknown): string | undefined {
  if (!isPlainObject(result) || typeof result.nextCursor !== 'string') return undefined
  if (result.nextCursor.length <= cursorMax) return result.nextCursor
  throw tooLarge(method, `a cursor of more than ${cursorMax} characters`)
}

function endless(method: string, why: string) {
  return protocolError(`the server answered "${method}" with an endless list: ${why}`)
}

function tooLarge(method: string, why: string) {
  const message = `mcp: the server answered "${method}" with ${why}`
  return new McpError({ kind: 'too_large', code: 'too_large', message, mayHaveRun: true })
}
