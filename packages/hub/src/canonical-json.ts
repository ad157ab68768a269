import { hash } from 'node:crypto'

/**
 * The same text for the same JSON value, whatever the order of its keys. Fields that are undefined
 * are left out, as JSON leaves them out.
 */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, isCanonical(value, depthMax) ? undefined : sortKeys) ?? 'null'
}

/** SHA-256, as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return hash('sha256', text)
}

/** What is deeper is sorted, also where it would not have to be. */
const depthMax = 32

/** Whether JSON writes it as it is: most arguments of calls are few, and in order. */
function isCanonical(value: unknown, depthLeft: number): boolean {
  if (value === null || typeof value !== 'object') return true
  if (depthLeft === 0 || 'toJSON' in value) return false
  if (Array.isArray(value)) return value.every((item) => isCanonical(item, depthLeft - 1))
  let last = ''
  for (const key in value) {
    // JSON puts keys that are whole numbers first, in their own order.
    if (key < last || isDigit(key)) return false
    if (!isCanonical((value as Record<string, unknown>)[key], depthLeft - 1)) return false
    last = key
  }
  return true
}

function isDigit(key: string): boolean {
  const code = key.charCodeAt(0)
  return code >= 0x30 && code <= 0x39
}

function sortKeys(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const sorted: Record<string, unknown> = Object.create(null)
  for (const key of Object.keys(value).sort()) sorted[key] = (value as typeof sorted)[key]
  return sorted
}
