/** One of each line; or a JSON list, for what has line breaks of its own. */
export function toLines(text: string): string[] {
  if (/^\s*\[/.test(text)) {
    const list = readList(text)
    if (list) return list
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export function toLinesText(lines: readonly string[]): string {
  const isPlain = (line: string) => line.trim() === line && line !== '' && !line.includes('\n')
  const text = lines.join('\n')
  return lines.every(isPlain) && !text.startsWith('[') ? text : JSON.stringify(lines)
}

/** Words between commas, of either language, or on lines of their own. */
export function toList(text: string): string[] {
  const parts = text.split(/[,，、;；\n]/).map((part) => part.trim())
  return [...new Set(parts.filter((part) => part !== ''))]
}

function readList(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
    return isList ? value : undefined
  } catch {
    return undefined
  }
}
