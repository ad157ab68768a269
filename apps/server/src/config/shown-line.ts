const max = 200

/** A foreign text as one line for a terminal: nothing in it moves the cursor or turns the line. */
export function toShownLine(text: string): string {
  const begin = text.slice(0, max).toWellFormed()
  const line = begin.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�')
  return text.length > max ? `${line}…` : line
}
