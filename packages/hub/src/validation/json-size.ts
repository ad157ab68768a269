/** Why a value is too much to be read as a schema. */
export type JsonExcess = 'bytes' | 'depth' | 'key' | 'value'

interface JsonBounds {
  bytes: number
  depth: number
}

/**
 * Whether the JSON text of `value` stays within `bounds`, without making that text: it stops as
 * soon as it does not. Escapes are not counted.
 */
export function findExcess(value: unknown, bounds: JsonBounds): JsonExcess | undefined {
  let left = bounds.bytes
  return read(value, bounds.depth)

  function read(part: unknown, depthLeft: number): JsonExcess | undefined {
    if (typeof part === 'string') return take(Buffer.byteLength(part) + 2)
    if (typeof part === 'number') {
      return Number.isFinite(part) ? take(String(part).length) : 'value'
    }
    if (typeof part === 'boolean' || part === null) return take(4)
    if (typeof part !== 'object') return 'value'
    if (depthLeft === 0) return 'depth'
    return Array.isArray(part) ? readArray(part, depthLeft - 1) : readObject(part, depthLeft - 1)
  }

  function readArray(items: unknown[], depthLeft: number): JsonExcess | undefined {
    let excess = take(2)
    for (let index = 0; index < items.length && !excess; index++) {
      excess = take(1) ?? read(items[index], depthLeft)
    }
    return excess
  }

  function readObject(object: object, depthLeft: number): JsonExcess | undefined {
    let excess = take(2)
    for (const key in object) {
      if (excess) break
      if (key === '__proto__') return 'key'
      const field = (object as Record<string, unknown>)[key]
      excess = take(Buffer.byteLength(key) + 4) ?? read(field, depthLeft)
    }
    return excess
  }

  function take(bytes: number): JsonExcess | undefined {
    left -= bytes
    return left < 0 ? 'bytes' : undefined
  }
}
