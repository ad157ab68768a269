import { isPlainObject, jsonDepthMax } from './judge-json.ts'

/** The parts of a result but for the texts that say again what its structured content says. */
export function withoutRepeats<Part>(content: readonly Part[], structured: unknown): Part[] {
  if (structured === undefined) return [...content]
  const told = new Map(content.flatMap((part) => toTold(part) ?? []))
  const items = isPlainObject(structured) ? onlyResult(structured) : structured
  const isEach =
    Array.isArray(items) &&
    items.length === told.size &&
    [...told.values()].every((values, i) => isOneOf(values, items[i]))
  return content.filter((part) => {
    const values = told.get(part)
    return !values || !(isEach || isOneOf(values, structured) || isOneOf(values, items))
  })
}

/** A text part with what it may mean: itself, and what it is as JSON. */
function toTold<Part>(part: Part): [[Part, unknown[]]] | undefined {
  if (!isPlainObject(part) || part.type !== 'text') return undefined
  const { text } = part
  return typeof text === 'string' ? [[part, [text, ...readAny(text)]]] : undefined
}

/** Natively: pages load this early, and a key that is misread only shows a text once more. */
function readAny(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

/** What is no object is structured content under this name. */
function onlyResult(structured: Record<string, unknown>): unknown {
  return Object.keys(structured).length === 1 ? structured.result : undefined
}

function isOneOf(values: readonly unknown[], value: unknown): boolean {
  return value !== undefined && values.some((one) => isSame(one, value, jsonDepthMax))
}

function isSame(one: unknown, other: unknown, depthLeft: number): boolean {
  if (one === other) return true
  if (depthLeft === 0) return false
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, i) => isSame(item, other[i], depthLeft - 1))
  }
  if (!isPlainObject(one) || !isPlainObject(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every(
    (key) => Object.hasOwn(other, key) && isSame(one[key], other[key], depthLeft - 1),
  )
}
