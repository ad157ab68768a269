import { isPlainObject, withoutRepeats } from '@dataagent/schema'

/** What a result shows, one below the other. */
export type ResultBlock =
  | { kind: 'text'; text: string }
  | { kind: 'json'; value: unknown }
  | { kind: 'image'; src: string }
  /** What is not shown in the page: its content as base64. */
  | { kind: 'file'; type: string; bytes: number; data: string; name: string | undefined }
  | { kind: 'link'; uri: string; name: string }

const imageTypes = /^image\/(png|jpeg|gif|webp)$/

/** A result of a tool, whatever its shape, as blocks. An image is only ever one that it holds. */
export function toContent(result: unknown): ResultBlock[] {
  if (typeof result === 'string') return [fromText(result)]
  if (!isPlainObject(result)) return result === undefined ? [] : [{ kind: 'json', value: result }]
  if (!Array.isArray(result.content)) return [{ kind: 'json', value: result }]
  const { content, structuredContent } = result
  if (structuredContent === undefined) return content.flatMap(fromPart)
  const others = withoutRepeats(content, structuredContent)
  return [{ kind: 'json', value: structuredContent }, ...others.flatMap(fromPart)]
}

function fromPart(part: unknown): ResultBlock[] {
  if (!isPlainObject(part)) return []
  if (part.type === 'text' && typeof part.text === 'string') return [fromText(part.text)]
  if (part.type === 'image' || part.type === 'audio') return [fromMedia(part)]
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

interface Media {
  data?: unknown
  mimeType?: unknown
  uri?: unknown
}

/** An SVG could hold a script: it is saved, as is all that is no image. */
function fromMedia(media: Media): ResultBlock {
  const { mimeType, uri } = media
  const data = typeof media.data === 'string' ? toBase64(media.data) : undefined
  if (data === undefined) return { kind: 'json', value: media }
  const type = typeof mimeType === 'string' ? mimeType : ''
  if (imageTypes.test(type)) return { kind: 'image', src: `data:${type};base64,${data}` }
  const bytes = Math.floor((withoutPadding(data).length * 3) / 4)
  return {
    kind: 'file',
    type,
    bytes,
    data,
    name: typeof uri === 'string' ? lastOf(uri) : undefined,
  }
}

/** Base64 as a browser decodes it, without its white space; undefined where it would not. */
function toBase64(text: string): string | undefined {
  const data = text.replace(/[\t\n\f\r ]+/g, '')
  const digits = withoutPadding(data)
  const isWhole = digits === data ? data.length % 4 !== 1 : data.length % 4 === 0
  return isWhole && /^[A-Za-z0-9+/]*$/.test(digits) ? data : undefined
}

function withoutPadding(data: string): string {
  return data.replace(/={1,2}$/, '')
}

/** The name of a file in the address of a resource. */
function lastOf(uri: string): string | undefined {
  const [path = ''] = uri.split(/[?#]/, 1)
  return path.split(/[/\\:]/).at(-1) || undefined
}

function fromResource({ text, uri, blob, mimeType }: Record<string, unknown>): ResultBlock[] {
  if (typeof text === 'string') return [fromText(text)]
  if (typeof blob === 'string') return [fromMedia({ data: blob, mimeType, uri })]
  return [{ kind: 'link', uri: String(uri), name: String(uri) }]
}
