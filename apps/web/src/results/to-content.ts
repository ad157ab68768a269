import { isPlainObject } from '@dataagent/schema'

/** What a result shows, one below the other. */
export type ResultBlock =
  | { kind: 'text'; text: string }
  | { kind: 'json'; value: unknown }
  | { kind: 'image'; src: string }
  | { kind: 'audio'; src: string }
  | { kind: 'link'; uri: string; name: string }

const imageTypes = /^image\/(png|jpeg|gif|webp)$/

/** A result of a tool, whatever its shape, as blocks. An image is only ever one that it holds. */
export function toContent(result: unknown): ResultBlock[] {
  if (typeof result === 'string') return [fromText(result)]
  if (!isPlainObject(result)) return result === undefined ? [] : [{ kind: 'json', value: result }]
  if (!Array.isArray(result.content)) return [{ kind: 'json', value: result }]
  const blocks = result.content.flatMap(fromPart)
  if (result.structuredContent === undefined) return blocks
  // Text beside structured content says the same again.
  const others = blocks.filter(({ kind }) => kind !== 'text' && kind !== 'json')
  return [{ kind: 'json', value: result.structuredContent }, ...others]
}

function fromPart(part: unknown): ResultBlock[] {
  if (!isPlainObject(part)) return []
  if (part.type === 'text' && typeof part.text === 'string') return [fromText(part.text)]
  if (part.type === 'image') return fromImage(part)
  if (part.type === 'audio') return fromAudio(part)
  if (part.type === 'resource_link') {
    return [{ kind: 'link', uri: String(part.uri), name: String(part.name ?? part.uri) }]
  }
  if (part.type === 'resource' && isPlainObject(part.resource)) return fromResource(part.resource)
  return [{ kind: 'json', value: part }]
}

/** Text that is JSON is shown as such: most tools give nothing else. */
function fromText(text: string): ResultBlock {
  const start = text.trimStart()[0]
  if (start !== '{' && start !== '[') return { kind: 'text', text }
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch {
    return { kind: 'text', text }
  }
}

function fromImage({ data, mimeType }: Record<string, unknown>): ResultBlock[] {
  if (typeof data !== 'string' || !imageTypes.test(String(mimeType))) return []
  if (!/^[A-Za-z0-9+/=\s]*$/.test(data)) return []
  return [{ kind: 'image', src: `data:${mimeType};base64,${data}` }]
}

function fromAudio({ data, mimeType }: Record<string, unknown>): ResultBlock[] {
  const size = typeof data === 'string' ? data.length : 0
  return [{ kind: 'text', text: `[${String(mimeType)}, ${size}]` }]
}

function fromResource({ text, uri, blob, mimeType }: Record<string, unknown>): ResultBlock[] {
  if (typeof text === 'string') return [fromText(text)]
  if (typeof blob === 'string') return fromImage({ data: blob, mimeType })
  return [{ kind: 'link', uri: String(uri), name: String(uri) }]
}
