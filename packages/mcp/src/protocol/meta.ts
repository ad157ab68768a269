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

export interface MetaParts {
  /** What every request of the connection carries; it wins over what the caller gives. */
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
  return {
    ...params,
    _meta: {
      ...(params?._meta as Meta | undefined),
      ...meta,
      ...trace,
      ...(progressToken !== undefined && { progressToken }),
      ...envelope,
    },
  }
}
