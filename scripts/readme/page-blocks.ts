/** What stands in the blocks of a language. */
export function blocksOf(text: string, language: string): string[] {
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  return [...text.matchAll(block)].map(([, code]) => `${code}`)
}

/** The cells of the tables of a text, row by row. */
export function rowsOf(text: string): string[][] {
  return [...text.matchAll(/^\| (.*) \|$/gm)].map(([, cells]) => `${cells}`.split(' | '))
}

/** The text with what there is in place of what it says. */
export function withPlaces(text: string, places: Record<string, string>): string {
  return Object.entries(places).reduce((code, at) => code.replaceAll(...at), text)
}
