/** Whether `uri` may have been made from an RFC 6570 template: its fixed parts, in their order. */
export function fitsTemplate(template: string, uri: string): boolean {
  const fixed = template.split(/\{[^{}]*\}/)
  if (fixed.length === 1) return template === uri
  const [first = '', ...rest] = fixed
  const last = rest.pop() ?? ''
  if (!uri.startsWith(first) || !uri.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const found = uri.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= uri.length - last.length
}
