/** Text as every database keeps it: PostgreSQL takes neither NUL nor half a surrogate pair. */
export function toStoredText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

/** An id that others gave, as long as its column: for reading, nothing is looked up by it. */
export function toStoredId(text: string): string {
  return toStoredText(text.slice(0, 191))
}
