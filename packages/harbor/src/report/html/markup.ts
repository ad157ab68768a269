/** Text that is HTML already. Everything else is escaped when it is put into some. */
export interface Markup {
  readonly markup: string
}

export type Content = Markup | string | number | undefined | readonly Content[]

/** `html\`<p>${text}</p>\``: what stands in the braces is escaped, unless it is markup. */
export function html(texts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return { markup: texts.map((text, at) => text + toMarkup(contents[at])).join('') }
}

/** For constants of ours alone. */
export function asMarkup(markup: string): Markup {
  return { markup }
}

function toMarkup(content: Content): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return toText(content)
  if (typeof content === 'number') return String(content)
  return 'markup' in content ? content.markup : content.map(toMarkup).join('')
}

const references: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
}

/** For text and quoted attributes. What HTML cannot hold is shown as one that is missing. */
function toText(text: string): string {
  return text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cs}]/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => references[character] ?? '')
}
