/** Terminals drop longer sequences, some with all that follows. */
const maxBytes = 74_000

/**
 * OSC 52 with the text: only characters of base64 stand in it, whatever the text holds. Undefined
 * for one that terminals do not take.
 */
export function toClipboardSequence(text: string): string | undefined {
  const encoded = Buffer.from(text, 'utf8').toString('base64')
  return encoded.length > maxBytes ? undefined : `\u001b]52;c;${encoded}\u0007`
}
