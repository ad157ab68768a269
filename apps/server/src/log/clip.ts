const maxText = 8_192
const maxDepth = 8
const maxEntries = 100

/**
 * A plain copy of `value` of bounded size: long text cut, errors as objects with their causes, deep
 * parts left out.
 */
export function clip(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return clipText(value)
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return '[too deep]'
  if (value instanceof Error) return clipError(value, depth)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (hasToJson(value)) return clip(value.toJSON(), depth + 1)
  if (Array.isArray(value)) return value.slice(0, maxEntries).map((item) => clip(item, depth + 1))
  const entries = Object.entries(value).slice(0, maxEntries)
  return Object.fromEntries(entries.map(([key, item]) => [clipText(key), clip(item, depth + 1)]))
}

/** At most 8,192 characters, then how many were left out; half a surrogate pair is replaced. */
export function clipText(text: string): string {
  if (text.length <= maxText) return text.toWellFormed()
  return `${text.slice(0, maxText).toWellFormed()}… (${text.length - maxText} more)`
}

function clipError(error: Error, depth: number): Record<string, unknown> {
  const { code, data } = error as { code?: unknown; data?: unknown }
  return {
    type: error.name,
    message: clipText(error.message),
    ...(code !== undefined && { code: clip(code, depth + 1) }),
    ...(data !== undefined && { data: clip(data, depth + 1) }),
    ...(error.stack !== undefined && { stack: clipText(error.stack) }),
    ...(error.cause !== undefined && { cause: clip(error.cause, depth + 1) }),
  }
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}
