/** Texts and attributes of the plain XML that workbooks are made of; no entity is ever loaded. */
const entities: Readonly<Record<string, string>> = {
  ...{ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" },
}

export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w{1,5}));/g,
    (all, hex, dec, name) => {
      if (name !== undefined) return entities[name] ?? all
      const code = hex === undefined ? Number(dec) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : all
    },
  )
}

export function attribute(tag: string, name: string): string | undefined {
  const at = tag.search(new RegExp(`\\s(?:\\w+:)?${name}="`))
  if (at === -1) return undefined
  const from = tag.indexOf('"', at) + 1
  return unescapeXml(tag.slice(from, tag.indexOf('"', from)))
}

/** All elements of a name, with what is in them. None of that name is within another. */
export function* elements(xml: string, name: string): Generator<{ tag: string; inner: string }> {
  const opening = new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])`, 'g')
  const closing = new RegExp(`</(?:\\w+:)?${name}>`, 'g')
  for (let found = opening.exec(xml); found !== null; found = opening.exec(xml)) {
    const end = xml.indexOf('>', found.index)
    if (end === -1) return
    const tag = xml.slice(found.index, end)
    if (tag.endsWith('/')) {
      opening.lastIndex = end + 1
      yield { tag, inner: '' }
      continue
    }
    closing.lastIndex = end
    const close = closing.exec(xml)
    if (close === null) return
    opening.lastIndex = closing.lastIndex
    yield { tag, inner: xml.slice(end + 1, close.index) }
  }
}

/** All that `<t>` elements hold, without readings of Asian characters. */
export function textOf(xml: string): string {
  let text = ''
  const spoken = xml.includes('rPh>') ? xml.replaceAll(/<(\w+:)?rPh\b[\s\S]*?<\/\1?rPh>/g, '') : xml
  for (const { inner } of elements(spoken, 't')) text += unescapeXml(inner)
  return text
}
