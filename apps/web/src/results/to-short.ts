/** A name or an address as shown on one line: a server may make them as long as it likes. */
export function toShort(text: string, max = 300): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}
