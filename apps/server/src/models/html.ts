/** Text that is HTML already. */
export interface Html {
  html: string
}

type Part = Html | string | number | undefined | false | readonly Part[]

/** HTML with what stands in it escaped, unless it is HTML itself. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const text = strings.map((string, at) => string + (at < parts.length ? toText(parts[at]) : ''))
  return { html: text.join('') }
}

/** Plain text, with what stands between backticks as code. */
export function prose(text: string): Html {
  const parts = text.split('`')
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`
}

function toText(part: Part): string {
  if (part === undefined || part === false) return ''
  if (Array.isArray(part)) return part.map(toText).join('')
  return typeof part === 'object' ? (part as Html).html : escapeHtml(String(part))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character]!)
}
