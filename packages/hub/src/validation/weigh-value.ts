/**
 * How many parts a JSON value has; -1 where it is no JSON value, is nested deeper than `depthMax`,
 * or has a key `__proto__`. It stops when there are more than `max`: of the rest nothing is known.
 */
export function countParts(value: unknown, depthMax: number, max = Infinity): number {
  if (typeof value !== 'object' || value === null) return isScalar(value) ? 1 : -1
  if (depthMax === 0) return -1
  return Array.isArray(value)
    ? countItems(value, depthMax - 1, max)
    : countFields(value, depthMax - 1, max)
}

function countItems(items: unknown[], depthMax: number, max: number): number {
  let parts = 1
  for (let index = 0; index < items.length && parts <= max; index++) {
    const found = countParts(items[index], depthMax, max - parts)
    if (found === -1) return -1
    parts += found
  }
  return parts
}

function countFields(object: object, depthMax: number, max: number): number {
  if (!isPlain(Object.getPrototypeOf(object))) return -1
  let parts = 1
  for (const key in object) {
    if (parts > max) break
    if (key === '__proto__') return -1
    const found = countParts((object as Record<string, unknown>)[key], depthMax, max - parts)
    if (found === -1) return -1
    parts += found
  }
  return parts
}

/** Of this realm, which is quick to see, or of another. */
function isPlain(prototype: unknown): boolean {
  if (prototype === Object.prototype || prototype === null) return true
  return Object.getPrototypeOf(prototype) === null
}

function isScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'string' || typeof value === 'boolean' || value === null
}
