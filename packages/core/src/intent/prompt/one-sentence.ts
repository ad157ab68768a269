const sentenceEnd = /[。！？]|[.!?](?=\s+[^\s\p{Ll}]|\s*$)/u

/** The first sentence of a text on one line, at most `max` characters long. */
export function toOneSentence(text: string, max: number): string {
  const firstLine = text.trimStart().split(/\r?\n\s*\r?\n/, 1)[0] ?? ''
  const line = firstLine.slice(0, lookAt).replaceAll(/\s+/g, ' ').trim()
  const end = sentenceEnd.exec(line)
  return cut(end ? line.slice(0, end.index + end[0].length) : line, max)
}

/** More than this of a text is never looked at. */
const lookAt = 1_000

function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const kept = text.slice(0, max - 1)
  const isSplit = /[\ud800-\udbff]$/.test(kept)
  return `${(isSplit ? kept.slice(0, -1) : kept).trimEnd()}…`
}
