import type { MaskerLimits } from './masker.ts'

/** What is known of a key: whether its value is a secret, and how it may be shown. */
export interface KeyVerdict {
  secret: boolean
  shown: string
}

export interface MaskedCopyOptions {
  limits: MaskerLimits
  mask: string
  maskText(text: string): string
  judgeKey(key: string): KeyVerdict
}

/** Copies a value into what JSON can hold, leaving out secrets. Never throws. */
export function createMaskedCopy(options: MaskedCopyOptions): (value: unknown) => unknown {
  const { limits, mask, maskText, judgeKey } = options

  return (value) => {
    const ancestors: object[] = []
    let left = limits.entries
    return copy(value)

    function copy(given: unknown): unknown {
      switch (typeof given) {
        case 'string':
          return maskText(given)
        case 'number':
          return copyNumber(given)
        case 'bigint':
          return maskText(String(given))
        case 'object':
          return given === null ? null : copyNested(given)
        case 'boolean':
        case 'undefined':
          return given
        default:
          return `[${typeof given}]`
      }
    }

    function copyNested(given: object): unknown {
      if (ancestors.includes(given)) return '[circular]'
      if (ancestors.length >= limits.depth) return '[too deep]'
      ancestors.push(given)
      try {
        return copyObject(given)
      } catch {
        return '[unreadable]'
      } finally {
        ancestors.pop()
      }
    }

    function copyObject(given: object): unknown {
      if (Array.isArray(given)) return copyList(given)
      if (ArrayBuffer.isView(given) || given instanceof ArrayBuffer)
        return `[${given.byteLength} bytes]`
      if (given instanceof Error) return copyEntries(errorEntries(given))
      if (given instanceof Map) return copyMap(given)
      if (given instanceof Set) return copyList(given)
      if (given instanceof String || given instanceof Number) return copy(given.valueOf())
      const { toJSON } = given as { toJSON?: unknown }
      if (typeof toJSON === 'function') return copy(toJSON.call(given, ''))
      return copyEntries(ownEntries(given))
    }

    function copyList(items: Iterable<unknown>): unknown[] {
      const list: unknown[] = []
      for (const item of items) {
        if (left <= 0) return [...list, '[left out]']
        left -= 1
        list.push(copy(item))
      }
      return list
    }

    function copyMap(map: Map<unknown, unknown>): unknown {
      const keys = [...map.keys()]
      if (keys.every((key) => typeof key === 'string'))
        return copyEntries(map as Map<string, unknown>)
      return copyList(map)
    }

    function copyEntries(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
      const record: Record<string, unknown> = {}
      for (const [key, item] of entries) {
        if (left <= 0) {
          put(record, '[left out]', true)
          break
        }
        left -= 1
        const { secret, shown } = judgeKey(key)
        put(record, shown, secret && isWorthMasking(item) ? mask : copy(item))
      }
      return record
    }
  }

  function copyNumber(given: number): unknown {
    const text = String(given)
    return maskText(text) === text ? given : mask
  }
}

/** `null`, booleans and nothing tell whether a secret is set, not which. */
function isWorthMasking(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'boolean' && value !== ''
}

function put(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') record[key] = value
  else Object.defineProperty(record, key, { value, enumerable: true })
}

function* ownEntries(given: object): Generator<[string, unknown]> {
  for (const key of Object.keys(given)) yield [key, read(given, key)]
}

function* errorEntries(error: Error): Generator<[string, unknown]> {
  const shown = ['name', 'message', 'stack', 'cause', 'errors']
  for (const key of shown) if (key in error) yield [key, read(error, key)]
  for (const key of Object.keys(error)) if (!shown.includes(key)) yield [key, read(error, key)]
}

function read(given: object, key: string): unknown {
  try {
    return (given as Record<string, unknown>)[key]
  } catch {
    return '[unreadable]'
  }
}
