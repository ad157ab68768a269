/** Text that is HTML already. */
export interface Html {
  readonly html: string
}

type Part = Html | string | number | false | undefined | readonly Part[]

/** HTML in which every part is escaped that is not HTML itself. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: String.raw({ raw: strings }, ...parts.map(toMarkup)) }
}

function toMarkup(part: Part): string {
  if (part === false || part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'html' in part ? part.html : part.map(toMarkup).join('')
}

/** Holds in text and in attributes within either kind of quotes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
