/** The beginning of a text on one line, without a part of a word at its end. */
export function cutAtWord(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= max) return line
  const start = line.slice(0, max)
  const isWhole = !/[\w'’-]$/.test(start) || !/^[\w'’-]/.test(line.slice(max))
  const words = isWhole ? start : start.replace(/[\w'’-]{1,60}$/, '')
  return `${(words.trim() === '' ? start : words).trim().toWellFormed()}…`
}
