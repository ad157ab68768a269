import type { IncomingHttpHeaders } from 'node:http'
import { findParamHeaders, type ParamHeader } from '@dataagent/mcp'
import { isPlainObject } from '@dataagent/schema/base'
import type { Caller, RpcRequest } from '../protocol/index.ts'
import { toMismatch } from './classify.ts'
import { decodeHeaderValue, trimHeader } from './header-value.ts'

/**
 * Whether the arguments that a tool wants in headers are there as the body has them (2026-07-28,
 * "Custom Headers from Tool Parameters"). Gives the fault.
 */
export function createParamHeaderCheck(
  schemaOf: (caller: Caller, name: string) => object | undefined,
) {
  const known = new WeakMap<object, readonly ParamHeader[]>()

  function declared(schema: object): readonly ParamHeader[] {
    const held = known.get(schema)
    if (held !== undefined) return held
    const found = findParamHeaders(schema)
    const headers = found.status === 'ok' ? found.headers : []
    known.set(schema, headers)
    return headers
  }

  return (caller: Caller, { params }: RpcRequest, headers: IncomingHttpHeaders) => {
    const schema = typeof params?.name === 'string' ? schemaOf(caller, params.name) : undefined
    if (schema === undefined) return undefined
    for (const { header, path } of declared(schema)) {
      const fault = compare(header, valueAt(params?.arguments, path), headers)
      if (fault !== undefined) return toMismatch(fault)
    }
    return undefined
  }
}

function compare(header: string, value: unknown, headers: IncomingHttpHeaders) {
  const text = toText(value)
  if (text === undefined) return undefined
  const sent = headers[header.toLowerCase()]
  if (typeof sent !== 'string') return `${header} is missing`
  const decoded = decodeHeaderValue(trimHeader(sent))
  if (decoded === undefined) return `${header} is not proper Base64`
  const isSame =
    typeof value === 'number' ? decoded !== '' && Number(decoded) === value : decoded === text
  return isSame ? undefined : `${header} is not what the body says`
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return Number.isFinite(value) ? String(value) : undefined
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root
  for (const key of path) value = isPlainObject(value) ? value[key] : undefined
  return value
}
