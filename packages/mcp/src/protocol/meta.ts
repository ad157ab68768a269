import type { ClientCapabilities, Implementation } from '@modelcontextprotocol/client'
import type { TraceContext } from '../client/contract.ts'

/** The reserved keys of `_meta` (2026-07-28, basic/index, "_meta"). */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const

export type Meta = Readonly<Record<string, unknown>>

/** What this end says of itself. */
export interface Introduction {
  clientInfo: Implementation
  capabilities: ClientCapabilities
}

/** What every request carries where there is no handshake. */
export function toEnvelope(version: string, { clientInfo, capabilities }: Introduction): Meta {
  return {
    [metaKeys.protocolVersion]: version,
    [metaKeys.clientInfo]: clientInfo,
    [metaKeys.clientCapabilities]: capabilities,
  }
}

export interface MetaParts {
  /** Of every request of the connection; wins over what the caller gives. */
  envelope: Meta | undefined
  meta: Meta | undefined
  trace: TraceContext | undefined
  progressToken: number | undefined
}

/** `params` with its `_meta`; the same object where there is nothing to add. */
export function withMeta(
  params: Record<string, unknown> | undefined,
  { envelope, meta, trace, progressToken }: MetaParts,
): Record<string, unknown> | undefined {
  if (meta === undefined && trace === undefined && progressToken === undefined) {
    if (envelope === undefined) return params
    if (params?._meta === undefined) return { ...params, _meta: envelope }
  }
  const _meta = { ...(params?._meta as Meta | undefined), ...meta, ...traceMeta(trace) }
  if (progressToken !== undefined) _meta.progressToken = progressToken
  return { ...params, _meta: { ..._meta, ...envelope } }
}

function traceMeta(trace: TraceContext | undefined): Record<string, unknown> | undefined {
  if (trace === undefined) return undefined
  const { traceparent, tracestate, baggage } = trace
  return {
    traceparent,
    ...(tracestate !== undefined && { tracestate }),
    ...(baggage !== undefined && { baggage }),
  }
}
