import type { CallToolResult } from '@dataagent/mcp'
import { isPlainObject } from '@dataagent/schema'
import { type Part, partInWords } from './part-in-words.ts'

const describedMax = 50
/** Of a link, and of a part of a kind that nobody knows: it may hold a picture. */
const wordsMax = 2_000

/**
 * What a model reads of a result: its text parts. Where it has none, its structured content as
 * JSON, else each part in words. Throws for what JSON cannot hold; `structured` is the JSON of the
 * structured content where it was written before.
 */
export function textOf(raw: CallToolResult, structured?: string): string {
  const text = joinTexts(raw)
  if (text !== '') return text
  const json = structured ?? JSON.stringify(raw.structuredContent)
  return json ?? partsInWords(raw.content)
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
  const text = joinTexts(raw)
  if (structured === undefined) return { kind: 'text', text }
  if (text === '' || text === structured) return { kind: 'text', text: structured }
  return { kind: 'json', text: json }
}

function joinTexts({ content }: CallToolResult): string {
  if (content.length === 1) return toText(content[0])
  return content.map(toText).filter(Boolean).join('\n')
}

function toText(part: Part | undefined): string {
  return part?.type === 'text' && typeof part.text === 'string' ? part.text : ''
}

function partsInWords(content: readonly Part[]): string {
  const others = content.filter(({ type }) => type !== 'text')
  const lines = others.slice(0, describedMax).map(toReadable)
  const hidden = others.length - lines.length
  return [...lines, ...(hidden > 0 ? [`[${hidden} more parts]`] : [])].join('\n')
}

const describedTypes = new Set<unknown>(['image', 'audio', 'resource'])

/** A resource that is text is read as such, and as JSON what is short or was JSON. */
function toReadable(part: Part): string {
  const { type, resource, uri, name } = part as Readonly<Record<string, unknown>>
  if (isPlainObject(resource) && typeof resource.text === 'string') return resource.text
  if (describedTypes.has(type)) return `[${partInWords(part)}]`
  if (type !== 'resource_link') return toBriefJson(part)
  const words = [name, uri].filter((word) => typeof word === 'string')
  return `[link to ${words.join(': ').slice(0, wordsMax)}]`
}

function toBriefJson(part: Part): string {
  const json = JSON.stringify(part)
  const isJson = (part.type as string) === 'json'
  if (isJson || json.length <= wordsMax) return json
  return `[${partInWords(part)}, ${json.length} characters]`
}
