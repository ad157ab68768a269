import { isPlainObject } from '@dataagent/schema'

type Json = Record<string, unknown>

/** A copy that nobody else holds, or why there is none. */
export type CopiedArgs = { status: 'ok'; args: Json } | { status: 'refused'; why: string }

const most = { values: 50_000, characters: 4 * 1024 * 1024, depth: 64 }

/**
 * Copies the arguments of a call. What is checked, approved, recorded and sent is then the same,
 * whatever the caller does with its own; and it is small enough for all of that.
 */
export function copyArgs(given: unknown): CopiedArgs {
  if (given === undefined) return { status: 'ok', args: {} }
  if (!isPlainObject(given)) return { status: 'refused', why: 'they are not an object' }
  const left = { values: most.values, characters: most.characters }
  try {
    return { status: 'ok', args: copy(given, left, most.depth) as Json }
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    return { status: 'refused', why: error.message }
  }
}

class TooMuch extends Error {}

function copy(
  value: unknown,
  left: { values: number; characters: number },
  depth: number,
): unknown {
  left.values -= 1
  if (left.values < 0) throw new TooMuch(`they hold more than ${most.values} values`)
  if (typeof value === 'string') spend(value, left)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) throw new TooMuch(`they are more than ${most.depth} levels deep`)
  if (Array.isArray(value)) return value.map((item) => copy(item, left, depth - 1))
  const copied: Json = {}
  for (const key of Object.keys(value)) {
    spend(key, left)
    const clean = copy((value as Json)[key], left, depth - 1)
    if (key === '__proto__') Object.defineProperty(copied, key, { value: clean, enumerable: true })
    else copied[key] = clean
  }
  return copied
}

function spend(text: string, left: { characters: number }): void {
  left.characters -= text.length
  if (left.characters >= 0) return
  throw new TooMuch(`they hold more than ${most.characters} characters`)
}
