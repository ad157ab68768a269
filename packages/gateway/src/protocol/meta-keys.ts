/** The reserved keys of `_meta` (2026-07-28, basic/index, "_meta"). */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const

/** The `_meta` of a request's parameters; empty where there is none. */
export function metaOf(params: Record<string, unknown> | undefined): Record<string, unknown> {
  const meta = params?._meta
  return typeof meta === 'object' && meta !== null ? (meta as Record<string, unknown>) : {}
}
