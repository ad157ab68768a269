/** No character of a string takes more bytes as JSON in UTF-8: `\u0000`. */
const bytesPerUnit = 6
const scalarBytes = 26
/** Comma, colon and quotes. */
const markBytes = 4
const depthMax = 64

/**
 * Whether the JSON text of `value` surely has at most `bytes`, by the lengths of its strings. It
 * stops as soon as that is not sure.
 */
export function isSurelyWithin(value: unknown, bytes: number): boolean {
  return spend(value, bytes, depthMax) >= 0
}

/** What is left of `left`, or less than 0. */
function spend(value: unknown, left: number, depthLeft: number): number {
  if (typeof value === 'string') return left - value.length * bytesPerUnit - 2
  if (typeof value !== 'object' || value === null) return left - scalarBytes
  if (depthLeft === 0) return -1
  return Array.isArray(value)
    ? spendItems(value, left - 2, depthLeft - 1)
    : spendFields(value, left - 2, depthLeft - 1)
}

function spendItems(items: unknown[], left: number, depthLeft: number): number {
  let rest = left
  for (let index = 0; index < items.length && rest >= 0; index++) {
    rest = spend(items[index], rest - markBytes, depthLeft)
  }
  return rest
}

function spendFields(object: object, left: number, depthLeft: number): number {
  let rest = left
  for (const key in object) {
    if (rest < 0) break
    const cost = key.length * bytesPerUnit + markBytes
    rest = spend((object as Record<string, unknown>)[key], rest - cost, depthLeft)
  }
  return rest
}
