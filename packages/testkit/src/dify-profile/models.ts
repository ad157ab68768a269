import { fault } from './fault.ts'

type Fields = Record<string, unknown>

export interface DifyTool extends Fields {
  name: string
  description?: string | null
  inputSchema: Record<string, unknown>
}

export interface DifyCallResult extends Fields {
  content: ({ type: string } & Fields)[]
  structuredContent?: Record<string, unknown> | null
  /** Dify does not look at it. */
  isError?: boolean
}

const versions = ['2024-11-05', '2025-03-26', '2025-06-18']

/** Throws where Dify's models would: with `invalid` and the path of what does not fit. */
export function checkInitialized(result: Fields): void {
  const { protocolVersion, capabilities, serverInfo } = result
  expectAs(typeof protocolVersion === 'string', 'protocolVersion')
  expectAs(isObject(capabilities), 'capabilities')
  expectAs(isObject(serverInfo), 'serverInfo')
  const { name, version } = serverInfo as Fields
  expectAs(typeof name === 'string', 'serverInfo.name')
  expectAs(typeof version === 'string', 'serverInfo.version')
  if (!versions.includes(protocolVersion as string))
    throw fault('invalid', `Unsupported protocol version from the server: ${protocolVersion}`)
}

/** The one page that Dify sees. */
export function toTools({ tools, nextCursor }: Fields): DifyTool[] {
  expectAs(Array.isArray(tools), 'tools')
  expectAs(isTextOrNone(nextCursor), 'nextCursor')
  for (const [at, tool] of (tools as unknown[]).entries()) checkTool(tool, `tools.${at}`)
  return tools as DifyTool[]
}

function checkTool(tool: unknown, path: string): void {
  expectAs(isObject(tool), path)
  const { name, title, description, inputSchema, outputSchema, annotations } = tool as Fields
  expectAs(typeof name === 'string', `${path}.name`)
  expectAs(isTextOrNone(title), `${path}.title`)
  expectAs(isTextOrNone(description), `${path}.description`)
  expectAs(isObject(inputSchema), `${path}.inputSchema`)
  expectAs(isObjectOrNone(outputSchema), `${path}.outputSchema`)
  expectAs(isObjectOrNone(annotations), `${path}.annotations`)
}

export function toCallResult(result: Fields): DifyCallResult {
  const { content, structuredContent, isError } = result
  expectAs(Array.isArray(content), 'content')
  for (const [at, item] of (content as unknown[]).entries())
    expectAs(isContent(item), `content.${at}`)
  expectAs(isObjectOrNone(structuredContent), 'structuredContent')
  expectAs(isError === undefined || typeof isError === 'boolean', 'isError')
  return result as DifyCallResult
}

/** The fields that each kind of content must have; other kinds fail the whole call. */
const contentFields: Record<string, (item: Fields) => boolean> = {
  text: ({ text }) => typeof text === 'string',
  image: isBinary,
  audio: isBinary,
  resource: ({ resource }) =>
    isObject(resource) &&
    typeof resource.uri === 'string' &&
    (typeof resource.text === 'string' || typeof resource.blob === 'string'),
  resource_link: ({ uri, name }) => typeof uri === 'string' && typeof name === 'string',
}

function isContent(item: unknown): boolean {
  if (!isObject(item) || typeof item.type !== 'string') return false
  return contentFields[item.type]?.(item) ?? false
}

function isBinary({ data, mimeType }: Fields): boolean {
  return typeof data === 'string' && typeof mimeType === 'string'
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string'
}

function isObjectOrNone(value: unknown): boolean {
  return value === undefined || value === null || isObject(value)
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function expectAs(fits: boolean, path: string): void {
  if (!fits) throw fault('invalid', `Validation error of Dify: ${path}`)
}
