import { isSurelyWithin } from '../json-within.ts'
import type { Pause } from '../pause.ts'
import type { Needles } from './needles.ts'

/** The value without the needles, in texts and keys. Copies only what must be changed. */
export function concealIn<T>(needles: Needles, value: T): T {
  return concealAny(needles, value) as T
}

/** The same, in as many pieces as it takes: what is large holds nobody up. */
export async function concealInPieces<T>(needles: Needles, value: T, pause: Pause): Promise<T> {
  return (await concealLarge(needles, value, pause)) as T
}

/** By estimate, as JSON. It is looked through at once. */
const pieceBytes = 128 * 1024
const itemsAtOnce = 256

function isPiece(value: unknown): boolean {
  return typeof value !== 'object' || value === null || isSurelyWithin(value, pieceBytes)
}

function concealAny(needles: Needles, value: unknown): unknown {
  if (typeof value === 'string') return needles.replaceIn(value)
  if (Array.isArray(value)) return concealItems(needles, value)
  return typeof value === 'object' && value !== null ? concealFields(needles, value) : value
}

function concealItems(needles: Needles, items: unknown[]): unknown[] {
  let copy: unknown[] | undefined
  for (let index = 0; index < items.length; index += 1) {
    const clean = concealAny(needles, items[index])
    if (clean === items[index]) continue
    copy ??= [...items]
    copy[index] = clean
  }
  return copy ?? items
}

type Fields = Readonly<Record<string, unknown>>

function concealFields(needles: Needles, fields: object): object {
  const keys = Object.keys(fields)
  const copy = createFieldsCopy(fields as Fields, keys)
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index]!
    copy.add(index, needles.replaceIn(key), concealAny(needles, (fields as Fields)[key]))
  }
  return copy.fields()
}

async function concealLarge(needles: Needles, value: unknown, pause: Pause): Promise<unknown> {
  if (isPiece(value)) return concealAny(needles, value)
  if (pause.isDue()) await pause.rest()
  return Array.isArray(value)
    ? await concealManyItems(needles, value, pause)
    : await concealManyFields(needles, value as Fields, pause)
}

async function concealManyItems(
  needles: Needles,
  items: unknown[],
  pause: Pause,
): Promise<unknown[]> {
  let copy: unknown[] | undefined
  for (let start = 0; start < items.length; start += itemsAtOnce) {
    const some = items.slice(start, start + itemsAtOnce)
    const clean = isPiece(some)
      ? concealItems(needles, some)
      : await concealOneByOne(needles, some, pause)
    if (pause.isDue()) await pause.rest()
    if (clean === some) continue
    copy ??= [...items]
    for (const [index, item] of clean.entries()) copy[start + index] = item
  }
  return copy ?? items
}

async function concealOneByOne(
  needles: Needles,
  items: unknown[],
  pause: Pause,
): Promise<unknown[]> {
  const copy: unknown[] = []
  for (const item of items) copy.push(await concealLarge(needles, item, pause))
  return copy.every((item, index) => item === items[index]) ? items : copy
}

async function concealManyFields(needles: Needles, fields: Fields, pause: Pause): Promise<object> {
  const keys = Object.keys(fields)
  const copy = createFieldsCopy(fields, keys)
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index]!
    const value = fields[key]
    const clean = isPiece(value)
      ? concealAny(needles, value)
      : await concealLarge(needles, value, pause)
    if (pause.isDue()) await pause.rest()
    copy.add(index, needles.replaceIn(key), clean)
  }
  return copy.fields()
}

/** Copies from the first field on that is another; each is added in its turn. */
function createFieldsCopy(before: Fields, keys: readonly string[]) {
  let entries: [string, unknown][] | undefined
  return {
    add(index: number, key: string, value: unknown): void {
      const isSame = key === keys[index] && value === before[key]
      if (isSame && entries === undefined) return
      entries ??= keys.slice(0, index).map((name) => [name, before[name]])
      entries.push([key, value])
    },
    fields: () => (entries ? Object.fromEntries(entries) : before),
  }
}
