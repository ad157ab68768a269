/**
 * Control characters, which XML forbids and terminals obey, and marks that turn the direction of
 * what follows.
 */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]+/g

/** The longest text that a chart looks at: a cell may hold a book. */
const longest = 1_000

/**
 * Data as one line of plain text: what a label, a title or a terminal can show. ECharts remembers
 * widths in an object by the text, and "__proto__" would write into the prototype of all others: a
 * text that is the name of something there begins with an invisible joiner.
 */
export function cleanText(text: string): string {
  const short = text.length > longest ? text.slice(0, longest) : text
  const clean = short.toWellFormed().replace(unsafe, ' ').trim()
  return Object.hasOwn(Object.prototype, clean) ? `\u2060${clean}` : clean
}
