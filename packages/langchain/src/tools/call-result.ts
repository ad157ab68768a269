import type { CallToolResult } from '@dataagent/mcp'
import { isPlainObject } from '@dataagent/schema'
import { ToolMessage } from '@langchain/core/messages'

type Content = CallToolResult['content'][number]
type Fields = Readonly<Record<string, unknown>>

/** What a tool of LangChain has given, as MCP has it: a message, a string, blocks or a value. */
export function toCallResult(given: unknown): CallToolResult {
  if (!ToolMessage.isInstance(given)) return { content: toContent(given) }
  const structured = structuredOf(given.artifact)
  return {
    content: toContent(given.content),
    ...(structured && { structuredContent: structured }),
    ...(given.status === 'error' && { isError: true }),
  }
}

/** `@langchain/mcp-adapters` keeps it among the artifacts. */
function structuredOf(artifact: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(artifact)) return undefined
  const found = artifact.find((one) => one?.type === 'mcp_structured_content')
  return isPlainObject(found?.data) ? found.data : undefined
}

function toContent(given: unknown): Content[] {
  if (given === undefined || given === '') return []
  if (typeof given === 'string') return [toText(given)]
  if (!Array.isArray(given)) return [toText(JSON.stringify(given) ?? '')]
  return given.map((block) => (typeof block === 'string' ? toText(block) : fromBlock(block)))
}

function toText(text: string): Content {
  return { type: 'text', text }
}

function fromBlock(block: Fields): Content {
  const { type } = block
  if (typeof block.text === 'string') return toText(block.text)
  if (type === 'image_url') return fromUrl('image', urlOf(block.image_url))
  if (type === 'image' || type === 'audio') return fromMedia(type, block)
  if (type === 'file') return fromFile(block)
  return toText(JSON.stringify(block))
}

function urlOf(given: unknown): string {
  const { url } = (typeof given === 'string' ? { url: given } : (given ?? {})) as Fields
  return String(url ?? '')
}

const dataUrl = /^data:([^;,]+);base64,(.*)$/s

function fromUrl(type: 'image' | 'audio', url: string): Content {
  const [, mimeType, data] = dataUrl.exec(url) ?? []
  if (mimeType === undefined || data === undefined) return toLink(type, url)
  return { type, mimeType, data }
}

function fromMedia(type: 'image' | 'audio', block: Fields): Content {
  const { data, url } = block
  if (typeof data !== 'string') return fromUrl(type, String(url ?? ''))
  return { type, data, mimeType: mimeOf(block) ?? `${type}/*` }
}

function fromFile(block: Fields): Content {
  const mimeType = mimeOf(block)
  const mime = mimeType !== undefined && { mimeType }
  if (typeof block.data !== 'string') return { ...toLink('file', String(block.url ?? '')), ...mime }
  const uri = String((block.metadata as Fields | undefined)?.uri ?? 'attachment:file')
  return { type: 'resource', resource: { uri, blob: block.data, ...mime } }
}

function mimeOf({ mime_type, mimeType }: Fields): string | undefined {
  const mime = mime_type ?? mimeType
  return typeof mime === 'string' ? mime : undefined
}

function toLink(name: string, uri: string) {
  return { type: 'resource_link' as const, name, uri }
}
