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
  isSecretKey(key: string): boolean
}

/** Fields that name what is in the field `value` beside them. */
const labels = ['name', 'Name', 'key', 'Key']
const labelled = ['value', 'Value', 'values']

/** What can be the name of a header, a variable or an option; prose is none. */
const nameShape = /^[\w.-]{1,128}$/
const option = /^(--?[\w.-]{1,128})=/

/** Copies a value into what JSON can hold, leaving out secrets. Never throws. */
export function createMaskedCopy(options: MaskedCopyOptions): (value: unknown) => unknown {
  const { limits, mask, maskText, judgeKey, isSecretKey } = options

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
      return copyEntries(
        ownEntries(given),
        labels.some((label) => isSecretName(read(given, label))),
      )
    }

    /** A list may hold names with their values: `--token x`, or a header and its value in turn. */
    function copyList(items: Iterable<unknown>): unknown[] {
      const inPairs = Array.isArray(items) && items.length % 2 === 0
      const list: unknown[] = []
      let isNamed = false
      for (const item of items) {
        if (left <= 0) return [...list, '[left out]']
        left -= 1
        const mayName: boolean = !isNamed && (isOption(item) || (inPairs && list.length % 2 === 0))
        list.push(isNamed && isWorthMasking(item) ? mask : copyItem(item))
        isNamed = mayName && isSecretName(item)
      }
      return list
    }

    function copyItem(item: unknown): unknown {
      const name = typeof item === 'string' ? option.exec(item)?.[1] : undefined
      return isSecretName(name) ? `${name}=${mask}` : copy(item)
    }

    function copyMap(map: Map<unknown, unknown>): unknown {
      const keys = [...map.keys()]
      if (!keys.every((key) => typeof key === 'string')) return copyList(map)
      return copyEntries(
        map as Map<string, unknown>,
        labels.some((label) => isSecretName(map.get(label))),
      )
    }

    function copyEntries(
      entries: Iterable<readonly [string, unknown]>,
      isLabelled = false,
    ): Record<string, unknown> {
      const record: Record<string, unknown> = {}
      for (const [key, item] of entries) {
        if (left <= 0) {
          put(record, '[left out]', true)
          break
        }
        left -= 1
        const { secret, shown } = judgeKey(key)
        const hides = secret || (isLabelled && labelled.includes(key))
        put(record, shown, hides && isWorthMasking(item) ? mask : copy(item))
      }
      return record
    }
  }

  function isSecretName(name: unknown): name is string {
    return typeof name === 'string' && nameShape.test(name) && isSecretKey(name)
  }

  function copyNumber(given: number): unknown {
    const text = String(given)
    return maskText(text) === text ? given : mask
  }
}

function isOption(item: unknown): boolean {
  return typeof item === 'string' && item.startsWith('-')
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
