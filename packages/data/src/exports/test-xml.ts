export interface XmlElement {
  name: string
  attributes: Record<string, string>
}

const tag = '[A-Za-z][\\w:-]*'
const opening = `<(${tag})((?:\\s+[\\w:-]+="[^"<]*")*)\\s*(/?)>`
const token = new RegExp(`</(${tag})\\s*>|${opening}|([^<]+)`, 'y')
const entity = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 section 2.2 forbids them
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/**
 * Reads well-formed XML 1.0 as our documents use it, without declarations, comments and CDATA, and
 * gives its elements and its text; throws at the first fault.
 */
export function readXml(xml: string): { elements: XmlElement[]; text: string } {
  if (!xml.isWellFormed() || forbidden.test(xml)) throw new Error('A character that XML forbids')
  const elements: XmlElement[] = []
  const open: string[] = []
  let text = ''
  token.lastIndex = 0
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex
    const found = token.exec(xml)
    if (found === null) throw new Error(`Not XML at ${at}: ${xml.slice(at, at + 60)}`)
    const [whole, closed, opened, attributes = '', alone, content] = found
    if (entity.test(whole)) throw new Error(`A bare & at ${at}: ${whole.slice(0, 60)}`)
    if (closed !== undefined && open.pop() !== closed) throw new Error(`</${closed}> at ${at}`)
    if (content !== undefined) text += decode(content)
    if (opened === undefined) continue
    elements.push({ name: opened, attributes: readAttributes(attributes) })
    if (alone === '') open.push(opened)
  }
  if (open.length > 0) throw new Error(`Not closed: ${open.join(' ')}`)
  return { elements, text }
}

function readAttributes(source: string): Record<string, string> {
  const pairs = [...source.matchAll(/([\w:-]+)="([^"]*)"/g)].map(
    ([, name, value]) => [name!, decode(value!)] as const,
  )
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new Error('Attribute twice')
  return Object.fromEntries(pairs)
}

function decode(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
