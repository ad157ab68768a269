/**
 * The pasted text without what surrounds it: a Markdown fence, a shell's prompt, a byte order mark.
 */
export function unwrap(text: string): string {
  const bare = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .trim()
  return withoutPrompts(withoutFence(bare)).trim()
}

/** The content of the first fenced block; CommonMark section 4.5. */
function withoutFence(text: string): string {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => /^ {0,3}(```|~~~)/.test(line))
  if (start === -1) return withoutBackticks(text)
  const mark = lines[start]?.trim().slice(0, 3) ?? ''
  const end = lines.findIndex((line, at) => at > start && line.trim().startsWith(mark))
  return lines.slice(start + 1, end === -1 ? undefined : end).join('\n')
}

/** Text that stands in single backticks, as in a sentence. */
function withoutBackticks(text: string): string {
  const isQuoted = text.length > 2 && text.startsWith('`') && text.endsWith('`')
  const inner = text.slice(1, -1)
  return isQuoted && !inner.includes('`') ? inner : text
}

function withoutPrompts(text: string): string {
  return text.replaceAll(/^[$%>❯] /gm, '')
}
