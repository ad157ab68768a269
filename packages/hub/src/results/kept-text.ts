import type { CallToolResult } from '@dataagent/mcp'

/** The text of all text parts. */
export function textOf({ content }: CallToolResult): string {
  if (content.length === 1) return toText(content[0])
  return content.map(toText).filter(Boolean).join('\n')
}

/**
 * What is kept of a result: its text where that is all there is, so that it can be read on as it
 * began; else the whole as JSON. `structured` is the JSON of its structured content.
 */
export function toKept(
  raw: CallToolResult,
  { json, structured }: { json: string; structured: string | undefined },
): { kind: 'text' | 'json'; text: string } {
  const isText = raw.content.every(({ type }) => type === 'text')
  if (!isText) return { kind: 'json', text: json }
  const text = textOf(raw)
  if (structured === undefined) return { kind: 'text', text }
  if (text === '' || text === structured) return { kind: 'text', text: structured }
  return { kind: 'json', text: json }
}

function toText(part: CallToolResult['content'][number] | undefined): string {
  return part?.type === 'text' ? part.text : ''
}
