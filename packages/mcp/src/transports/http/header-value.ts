/** Printable ASCII without a space at either end: what goes into a header as it is. */
const plain = /^(?:[!-~](?:[ -~]*[!-~])?)?$/

const prefix = '=?base64?'
const suffix = '?='

/**
 * The value of `Mcp-Name` or `Mcp-Param-…` for `text`: as it is, or in Base64 between markers where
 * a header could not hold it or it would be taken for such a value (2026-07-28, basic/transports/
 * streamable-http, "Value Encoding").
 */
export function encodeHeaderValue(text: string): string {
  const looksEncoded = text.startsWith(prefix) && text.endsWith(suffix)
  if (plain.test(text) && !looksEncoded) return text
  return prefix + Buffer.from(text).toString('base64') + suffix
}
