/** About what a value takes in memory besides its text, and a list or an object its content. */
const bytesPerValue = 32
const bytesPerHolder = 64

/**
 * About how many bytes a value of JSON takes: its texts and keys, and so much for each value. Ends
 * as soon as it is more than `limit`, so that the time it takes is bounded as well.
 */
export function estimateSize(value: unknown, limit: number): number {
  const holders: object[] = []
  let size = take(value, holders)
  for (let next = holders.pop(); next !== undefined && size <= limit; next = holders.pop()) {
    size += takeContent(next, holders, limit - size)
  }
  return size
}

/** Stops when it is more than `limit`. */
function takeContent(holder: object, holders: object[], limit: number): number {
  let size = 0
  if (Array.isArray(holder)) {
    for (const item of holder) {
      size += take(item, holders)
      if (size > limit) return size
    }
    return size
  }
  for (const key in holder) {
    size += key.length + take((holder as Record<string, unknown>)[key], holders)
    if (size > limit) return size
  }
  return size
}

/** The size of a value without its content, which waits in `holders`. */
function take(value: unknown, holders: object[]): number {
  if (typeof value === 'string') return bytesPerValue + value.length
  if (typeof value !== 'object' || value === null) return bytesPerValue
  holders.push(value)
  return bytesPerHolder
}
