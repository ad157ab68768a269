import type { CallToolResult } from '@dataagent/mcp'
import { isPlainObject } from '@dataagent/schema'

export type Part = CallToolResult['content'][number]

/** A part that is no text in words: its kind, type and size. Servers may leave out any field. */
export function partInWords(part: Part): string {
  const { type, data, mimeType, resource } = part as Readonly<Record<string, unknown>>
  if (type === 'image' || type === 'audio') {
    return `${type} of type ${short(mimeType)}, ${toBytes(data)} bytes`
  }
  if (type !== 'resource' || !isPlainObject(resource)) return short(type)
  const { blob, text, mimeType: its } = resource
  if (typeof text === 'string') return `resource of type ${short(its)}, ${text.length} characters`
  return `resource of type ${short(its)}, ${toBytes(blob)} bytes`
}

/** Of base64. */
function toBytes(data: unknown): number {
  if (typeof data !== 'string') return 0
  const padding = data.endsWith('==') ? 2 : Number(data.endsWith('='))
  return Math.floor((data.length * 3) / 4) - padding
}

function short(text: unknown): string {
  const word = typeof text === 'string' ? text.replace(/[^\w.+/;=-]/g, '').slice(0, 60) : ''
  return word === '' ? 'unknown' : word
}
