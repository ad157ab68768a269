import type { Needles } from './needles.ts'

/** The value without the needles, in texts and keys. Copies only what must be changed. */
export function concealIn<T>(needles: Needles, value: T): T {
  return concealAny(needles, value) as T
}

function concealAny(needles: Needles, value: unknown): unknown {
  if (typeof value === 'string') return needles.replaceIn(value)
  if (Array.isArray(value)) return concealItems(needles, value)
  return typeof value === 'object' && value !== null ? concealFields(needles, value) : value
}

function concealItems(needles: Needles, items: unknown[]): unknown[] {
  let copy: unknown[] | undefined
  for (const [index, item] of items.entries()) {
    const clean = concealAny(needles, item)
    if (clean === item) continue
    copy ??= [...items]
    copy[index] = clean
  }
  return copy ?? items
}

function concealFields(needles: Needles, fields: object): object {
  let changed = false
  const entries = Object.entries(fields).map(([key, value]) => {
    const clean = [needles.replaceIn(key), concealAny(needles, value)] as const
    changed ||= clean[0] !== key || clean[1] !== value
    return clean
  })
  return changed ? Object.fromEntries(entries) : fields
}
