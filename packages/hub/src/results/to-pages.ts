/**
 * Text as pages of at most `pageBytes` of UTF-8, none of which begins or ends within a character.
 * What databases do not take is replaced: NUL, and halves of characters.
 */
export function toPages(text: string, pageBytes: number): string[] {
  const bytes = Buffer.from(text.replaceAll('\0', '\u2400'), 'utf8')
  const pages: string[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = endOfCharacter(bytes, start, start + pageBytes)
    pages.push(bytes.toString('utf8', start, end))
    start = end
  }
  return pages.length === 0 ? [''] : pages
}

/** The first page alone. */
export function toFirstPage(text: string, pageBytes: number): string {
  return toPages(text.slice(0, pageBytes), pageBytes)[0]!
}

/** The last place at or before `end` where a character begins. */
function endOfCharacter(bytes: Buffer, start: number, end: number): number {
  if (end >= bytes.length) return bytes.length
  let at = end
  while (at > start && (bytes[at]! & 0xc0) === 0x80) at -= 1
  return at > start ? at : end
}
