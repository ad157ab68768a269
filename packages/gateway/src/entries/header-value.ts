const start = '=?base64?'
const end = '?='
const canonical = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Without the space that HTTP allows around a value (RFC 9110 §5.5). */
export function trimHeader(value: string): string {
  return value.replace(/^[ \t]+|[ \t]+$/g, '')
}

/** A value that may be Base64 (2026-07-28, "Value Encoding"); undefined where that is broken. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!value.startsWith(start) || !value.endsWith(end)) return value
  const base64 = value.slice(start.length, -end.length)
  if (!canonical.test(base64)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}
