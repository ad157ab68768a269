/** Tells whether a URI may have been made from an RFC 6570 template: its fixed parts, in order. */
export function toTemplateTest(template: string): (uri: string) => boolean {
  const [first = '', ...rest] = template.split(/\{[^{}]*\}/)
  const last = rest.pop()
  if (last === undefined) return (uri) => template === uri
  return (uri) => {
    if (!uri.startsWith(first) || !uri.endsWith(last)) return false
    let at = first.length
    for (const part of rest) {
      const found = uri.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return at <= uri.length - last.length
  }
}
