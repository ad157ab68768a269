import type { IncomingHttpHeaders } from 'node:http'
import { legacyVersions, metaKeys, modernVersions } from '@dataagent/mcp'
import { isPlainObject } from '@dataagent/schema/base'
import {
  type ClientCapabilities,
  type Message,
  metaOf,
  type RpcRequest,
  rpcCodes,
} from '../protocol/index.ts'
import { toCapabilities } from './client-facts.ts'
import { decodeHeaderValue, trimHeader } from './header-value.ts'

/** Which era a message is of, and what its envelope says. */
export type Classified =
  | { era: 'legacy' }
  | { era: 'modern'; envelope: Envelope }
  | { era: 'neither'; error: { code: number; message: string; data?: unknown } }

export interface Envelope {
  version: string
  capabilities: ClientCapabilities
  logLevel: string | undefined
}

const nameFields: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/**
 * The body decides, the headers must agree (2026-07-28, basic/transports/streamable-http, "Server
 * Validation"). The earliest of several faults is told.
 */
export function classify(message: Message, headers: IncomingHttpHeaders): Classified {
  if (message.kind === 'answer' || message.kind === 'broken') return { era: 'legacy' }
  const { method, params } = message.message
  const meta = metaOf(params)
  const version = headerOf(headers, 'mcp-protocol-version')
  const isNamedModern = version !== undefined && isModern(version)
  if (method === 'initialize' && !isNamedModern) return { era: 'legacy' }
  const claimed = meta[metaKeys.protocolVersion]
  if (claimed === undefined && !isNamedModern) return { era: 'legacy' }
  if (typeof claimed !== 'string') {
    const isSilent = message.kind === 'notification' && claimed === undefined
    if (isSilent) return { era: 'modern', envelope: toEnvelope(meta, modernVersions[0] as string) }
    return { era: 'neither', error: toEnvelopeFault(metaKeys.protocolVersion) }
  }
  const envelope = toEnvelope(meta, claimed)
  if (message.kind === 'notification') return { era: 'modern', envelope }
  const fault =
    findEnvelopeFault(meta) ?? findHeaderFault(message.message, { headers, version, claimed })
  return fault === undefined ? { era: 'modern', envelope } : { era: 'neither', error: fault }
}

function isModern(version: string): boolean {
  return !legacyVersions.includes(version)
}

function toEnvelope(meta: Record<string, unknown>, version: string): Envelope {
  const level = meta[metaKeys.logLevel]
  const capabilities = meta[metaKeys.clientCapabilities]
  return {
    version,
    capabilities: toCapabilities(capabilities),
    logLevel: typeof level === 'string' ? level : undefined,
  }
}

function findEnvelopeFault(meta: Record<string, unknown>) {
  const key = metaKeys.clientCapabilities
  return isPlainObject(meta[key]) ? undefined : toEnvelopeFault(key)
}

function toEnvelopeFault(key: string) {
  const message = `Every request of this revision carries ${key} in params._meta.`
  return { code: rpcCodes.params, message }
}

interface Headers {
  headers: IncomingHttpHeaders
  version: string | undefined
  claimed: string
}

function findHeaderFault({ method, params }: RpcRequest, { headers, version, claimed }: Headers) {
  if (version !== undefined && version !== claimed) {
    return toMismatch(`the body says ${claimed}, MCP-Protocol-Version ${version}`)
  }
  if (!modernVersions.includes(claimed)) return toUnsupported(claimed)
  if (version === undefined) return toMismatch('MCP-Protocol-Version is missing')
  const named = headerOf(headers, 'mcp-method')
  if (named === undefined) return toMismatch('Mcp-Method is missing')
  if (named !== method) return toMismatch(`the body says ${method}, Mcp-Method ${named}`)
  return findNameFault(method, params, headerOf(headers, 'mcp-name'))
}

function findNameFault(
  method: string,
  params: Record<string, unknown> | undefined,
  header: string | undefined,
) {
  const field = Object.hasOwn(nameFields, method) ? nameFields[method] : undefined
  const value = field === undefined ? undefined : params?.[field]
  if (typeof value !== 'string') return undefined
  if (header === undefined) return toMismatch(`Mcp-Name is missing; the body says ${value}`)
  const decoded = decodeHeaderValue(header)
  if (decoded === undefined) return toMismatch('Mcp-Name is not proper Base64')
  return decoded === value ? undefined : toMismatch(`the body says ${value}, Mcp-Name ${decoded}`)
}

export function toMismatch(what: string) {
  return { code: rpcCodes.headerMismatch, message: `Headers and body disagree: ${what}.` }
}

/** Those of `server/discover`: the others are agreed on by `initialize`. */
function toUnsupported(requested: string) {
  const data = { supported: modernVersions, requested }
  const message = `Unsupported protocol version: ${requested}`
  return { code: rpcCodes.unsupportedVersion, message, data }
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? trimHeader(value) : undefined
}
