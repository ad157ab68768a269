/**
 * A text as it is compared: compatibility forms made one (full-width letters, ligatures) and case
 * folded, also where a letter becomes two (`ß`) or has two small forms (`ς`).
 */
export function foldText(text: string): string {
  if (isPlainAscii.test(text)) return text.toLowerCase()
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: every character of ASCII is meant.
const isPlainAscii = /^[\x00-\x7f]*$/
