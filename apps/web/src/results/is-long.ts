import { isPlainObject } from '@dataagent/schema'

/** A result that is longer is read when somebody opens it. */
export const longFrom = 200_000

/** Whether a result would take long to read. */
export function isLong(result: unknown): boolean {
  return lengthOf(result) > longFrom
}

/**
 * About how many characters there are to read in a result; once there are more than `longFrom` the
 * rest is not counted. Images and sounds are not read.
 */
export function lengthOf(result: unknown): number {
  const left = [result]
  let length = 0
  while (left.length > 0 && length <= longFrom) {
    const value = left.pop()
    length += typeof value === 'string' ? value.length : 4
    if (Array.isArray(value)) {
      length += value.length
      if (length <= longFrom) for (const each of value) left.push(each)
    } else if (isPlainObject(value) && !isMedia(value)) {
      for (const key in value) {
        length += key.length
        left.push(value[key])
        if (length > longFrom) break
      }
    }
  }
  return length
}

function isMedia({ type, data, blob }: Record<string, unknown>): boolean {
  return typeof blob === 'string' || (typeof data === 'string' && mediaTypes.has(type))
}

const mediaTypes = new Set<unknown>(['image', 'audio'])
