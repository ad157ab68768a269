/**
 * How many parts a JSON value has; -1 where it is no JSON value, is nested deeper than `depthMax`,
 * or has a key `__proto__`.
 */
export function countParts(value: unknown, depthMax: number): number {
  if (typeof value !== 'object' || value === null) return isScalar(value) ? 1 : -1
  if (depthMax === 0) return -1
  return Array.isArray(value) ? countItems(value, depthMax - 1) : countFields(value, depthMax - 1)
}

function countItems(items: unknown[], depthMax: number): number {
  let parts = 1
  for (let index = 0; index < items.length; index++) {
    const found = countParts(items[index], depthMax)
    if (found === -1) return -1
    parts += found
  }
  return parts
}

function countFields(object: object, depthMax: number): number {
  if (!isPlain(Object.getPrototypeOf(object))) return -1
  let parts = 1
  for (const key in object) {
    if (key === '__proto__') return -1
    const found = countParts((object as Record<string, unknown>)[key], depthMax)
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
