import { isPlainObject } from '@dataagent/schema/base'
import { encodeHeaderValue } from '../transports/http/header-value.ts'
import { quote } from './words.ts'

// Arguments that are mirrored into HTTP headers (2026-07-28, basic/transports/streamable-http,
// "Custom Headers from Tool Parameters").

/** An argument of a tool and the header it goes into. */
export interface ParamHeader {
  /** `Mcp-Param-Region` */
  header: string
  /** The keys that lead to the value in the arguments. */
  path: readonly string[]
}

export type ParamHeaders =
  | { status: 'ok'; headers: ParamHeader[] }
  | { status: 'invalid'; reason: string }

const annotation = 'x-mcp-header'
/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const allowedTypes = new Set<unknown>(['string', 'integer', 'boolean'])
/** Keywords whose value is data, not a schema. */
const dataKeywords = new Set(['default', 'const', 'enum', 'examples', annotation])
/** Keywords whose value is a map from names to schemas. */
const mapKeywords = new Set(['patternProperties', 'dependentSchemas', '$defs', 'definitions'])

/** Finds which arguments of a tool go into headers; one that breaks the rules spoils the tool. */
export function findParamHeaders(inputSchema: unknown): ParamHeaders {
  const found = new Map<string, ParamHeader>()
  const reason = isPlainObject(inputSchema) ? visit(inputSchema, [], found) : undefined
  if (reason !== undefined) return { status: 'invalid', reason }
  return { status: 'ok', headers: [...found.values()] }
}

/** Walks a schema; `path` is `undefined` where a chain of `properties` does not lead. */
function visit(
  schema: Record<string, unknown>,
  path: readonly string[] | undefined,
  found: Map<string, ParamHeader>,
): string | undefined {
  if (Object.hasOwn(schema, annotation)) {
    const reason = note(schema, path, found)
    if (reason !== undefined) return reason
  }
  for (const [keyword, value] of Object.entries(schema)) {
    for (const [key, child] of childrenOf(keyword, value)) {
      const childPath = key === undefined || path === undefined ? undefined : [...path, key]
      const reason = visit(child, childPath, found)
      if (reason !== undefined) return reason
    }
  }
  return undefined
}

/** The schemas below a keyword; with their key where they are properties. */
function childrenOf(
  keyword: string,
  value: unknown,
): [key: string | undefined, child: Record<string, unknown>][] {
  if (dataKeywords.has(keyword)) return []
  if (keyword === 'properties' && isPlainObject(value)) {
    return Object.entries(value).flatMap(([key, child]) =>
      isPlainObject(child) ? [[key, child]] : [],
    )
  }
  const children = toList(keyword, value)
  return children.flatMap((child) => (isPlainObject(child) ? [[undefined, child]] : []))
}

function toList(keyword: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return mapKeywords.has(keyword) && isPlainObject(value) ? Object.values(value) : [value]
}

function note(
  schema: Record<string, unknown>,
  path: readonly string[] | undefined,
  found: Map<string, ParamHeader>,
): string | undefined {
  const name = schema[annotation]
  if (path === undefined || path.length === 0) return `${annotation} is not on a property`
  if (typeof name !== 'string' || !token.test(name)) return `${annotation} is no header name`
  if (!allowedTypes.has(schema.type)) {
    return `${annotation} ${quote(name)} is not on a string, integer or boolean`
  }
  if (found.has(name.toLowerCase())) return `${annotation} ${quote(name)} is there twice`
  found.set(name.toLowerCase(), { header: `Mcp-Param-${name}`, path })
  return undefined
}

/** The headers of a call with `args`; `undefined` where there are none. */
export function toParamHeaders(
  headers: readonly ParamHeader[] | undefined,
  args: Record<string, unknown>,
): Record<string, string> | undefined {
  if (headers === undefined) return undefined
  const values = headers.flatMap(({ header, path }) => {
    const text = toText(valueAt(args, path))
    return text === undefined ? [] : [[header, encodeHeaderValue(text)] as const]
  })
  return values.length === 0 ? undefined : Object.fromEntries(values)
}

function valueAt(args: Record<string, unknown>, path: readonly string[]): unknown {
  let value: unknown = args
  for (const key of path) {
    if (!isPlainObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value)
  return undefined
}
