/** An RFC 6570 template, as far as its fixed parts go. */
export interface UriTemplate {
  /**
   * How much a URI that may have been made from it begins with that is fixed; undefined for any
   * other. The template itself fits best.
   */
  fit(uri: string): number | undefined
}

export function toTemplate(template: string): UriTemplate {
  const [first = '', ...rest] = template.split(/\{[^{}]*\}/)
  const last = rest.pop()
  const fits = (uri: string): boolean => {
    if (last === undefined || !uri.startsWith(first) || !uri.endsWith(last)) return false
    let at = first.length
    for (const part of rest) {
      const found = uri.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return at <= uri.length - last.length
  }
  return {
    fit(uri) {
      if (uri === template) return Infinity
      return fits(uri) ? first.length : undefined
    },
  }
}
