import { isPlainObject } from '@dataagent/schema/base'
import type { JsonRpcMessage } from '../../rpc/messages.ts'
import type { Protocol } from '../transport.ts'
import { encodeHeaderValue } from './header-value.ts'
import type { Headers } from './headers.ts'

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** Which parameter `Mcp-Name` repeats. */
const nameSources = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

/**
 * The headers that repeat parts of a message (2026-07-28, basic/transports/streamable-http,
 * "Request Metadata"); none in the legacy era. Before the era is known, the message itself tells by
 * the version in its `_meta`.
 */
export function toModernHeaders(
  message: JsonRpcMessage,
  protocol: Protocol | undefined,
): Headers | undefined {
  const version = findVersion(message, protocol)
  if (version === undefined) return undefined
  const headers: Record<string, string> = { 'mcp-protocol-version': version }
  if (!('method' in message)) return headers
  headers['mcp-method'] = message.method
  const source = nameSources.get(message.method)
  const name = source === undefined ? undefined : message.params?.[source]
  if (typeof name === 'string') headers['mcp-name'] = encodeHeaderValue(name)
  return headers
}

function findVersion(message: JsonRpcMessage, protocol: Protocol | undefined): string | undefined {
  if (protocol?.era === 'legacy') return undefined
  const meta = 'params' in message ? message.params?._meta : undefined
  const version = isPlainObject(meta) ? meta[versionKey] : undefined
  return typeof version === 'string' ? version : protocol?.version
}
