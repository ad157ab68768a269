/** What is shown on one line of a name or an address: a server may make them as long as it likes. */
export function toShort(text: string, max = 300): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}
