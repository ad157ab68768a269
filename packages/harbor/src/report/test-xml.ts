/** An element of XML, with the text that is in it and not in its children. */
export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  text: string
}

const name = '[A-Za-z_][\\w.-]*'
const attribute = new RegExp(`^\\s+(${name})="([^"<]*)"`)
const reference = /&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);/gi

/** Reads XML as strictly as the standard says, as far as JUnit needs it; throws for all else. */
export function parseXml(xml: string): XmlElement {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml)) {
    throw new Error('a character that XML does not have')
  }
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  let rest = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>/, '')
  while (rest !== '') {
    const at = rest.indexOf('<')
    const parent = open.at(-1) ?? root
    parent.text += toText(at === -1 ? rest : rest.slice(0, at))
    if (at === -1) break
    rest = readTag(rest.slice(at), open)
  }
  const [element, ...others] = root.children
  if (!element || others.length > 0 || open.length !== 1 || root.text.trim() !== '') {
    throw new Error('not one element')
  }
  return element
}

/** What follows the tag. */
function readTag(text: string, open: XmlElement[]): string {
  const closing = new RegExp(`^</(${name})\\s*>`).exec(text)
  if (closing) {
    if (open.pop()?.name !== closing[1]) throw new Error(`</${closing[1]}> closes another`)
    return text.slice(closing[0].length)
  }
  const opening = new RegExp(`^<(${name})`).exec(text)
  if (!opening?.[1]) throw new Error(`no tag: ${text.slice(0, 40)}`)
  const element: XmlElement = { name: opening[1], attributes: {}, children: [], text: '' }
  open.at(-1)?.children.push(element)
  let rest = text.slice(opening[0].length)
  for (let found = attribute.exec(rest); found; found = attribute.exec(rest)) {
    const [whole, key = '', value = ''] = found
    if (key in element.attributes) throw new Error(`${key} twice`)
    element.attributes[key] = toText(value)
    rest = rest.slice(whole.length)
  }
  const end = /^\s*(\/?)>/.exec(rest)
  if (!end) throw new Error(`no end of a tag: ${rest.slice(0, 40)}`)
  if (end[1] === '') open.push(element)
  return rest.slice(end[0].length)
}

const named: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" },
}

function toText(text: string): string {
  if (text.replace(reference, '').includes('&')) throw new Error('a bare &')
  return text.replace(reference, (found) => named[found] ?? toCharacter(found))
}

function toCharacter(found: string): string {
  const digits = found.slice(2, -1)
  const code = digits.startsWith('x') ? Number.parseInt(digits.slice(1), 16) : Number(digits)
  return String.fromCodePoint(code)
}
