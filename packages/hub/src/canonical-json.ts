import { createHash } from 'node:crypto'

/**
 * The same text for the same JSON value, whatever the order of its keys. Fields that are undefined
 * are left out, as JSON leaves them out.
 */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys) ?? 'null'
}

/** SHA-256, as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function sortKeys(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const sorted: Record<string, unknown> = Object.create(null)
  for (const key of Object.keys(value).sort()) sorted[key] = (value as typeof sorted)[key]
  return sorted
}
