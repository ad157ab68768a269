import type { JsonObject, JsonValue } from '@dataagent/schema'
import type { Theme } from '../contract.ts'
import { toPlainLine } from '../sanitize.ts'

/** `server.tool` of a tool of a server, the name alone of one of our own. */
export function toToolName(tool_name: string, { glyphs }: Theme): string {
  return toPlainLine(tool_name.replace(/^mcp\./, ''), 60, glyphs.ellipsis)
}

/** Arguments on one line: the value alone where there is one, else names and values. */
export function toShortArgs(args: JsonObject, theme: Theme): string {
  const entries = Object.entries(args).filter(([, value]) => value !== null && value !== '')
  const [only] = entries
  if (only && entries.length === 1) return toValue(only[1], theme)
  return entries
    .slice(0, 12)
    .map(([key, value]) => `${toPlainLine(key, 40)}=${toValue(value, theme)}`)
    .join(' ')
}

function toValue(value: JsonValue, { glyphs }: Theme): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return toPlainLine(text, 120, glyphs.ellipsis)
}
