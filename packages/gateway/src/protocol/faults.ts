import { randomUUID } from 'node:crypto'
import type { ToolFault } from '@dataagent/hub'
import { errorTable, isAppError, toRpcError } from '@dataagent/schema'
import type { Reply, RpcFault } from './contract.ts'

/** JSON-RPC 2.0 §5.1, those of MCP 2026-07-28, and of the range that is left to servers. */
export const rpcCodes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  /** Refused by the server as it is now. */
  server: -32000,
  noSession: -32001,
  notFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const

/** For what was shown and does not hold, or not for this. */
export const invalidCredential = 'Invalid API Key or OAuth Token'

/** What a client answered to a question in place of a result. */
export class RpcError extends Error {
  readonly fault: RpcFault

  constructor(fault: RpcFault) {
    super(fault.message)
    this.name = 'RpcError'
    this.fault = fault
  }
}

export function toFaultReply(code: number, message: string, data?: unknown): Reply {
  const error = data === undefined ? { code, message } : { code, message, data }
  return { kind: 'error', error }
}

/** For what was thrown. `onInternal` gets what is not for the client, with its reference. */
export function toErrorReply(
  error: unknown,
  onInternal: (error: unknown, reference: string) => void,
): Reply {
  if (error instanceof RpcError) return { kind: 'error', error: error.fault }
  const reference = randomUUID()
  if (!isAppError(error) || error.code === 'internal') onInternal(error, reference)
  const fault = toRpcError(error, reference)
  const retryAfterMs = fault.data.retry_after_ms
  const status = isAppError(error, 'rate_limited') ? 429 : undefined
  return {
    kind: 'error',
    error: fault,
    ...(status !== undefined && { status }),
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
  }
}

/** For a call that gave no result. What the server itself answered goes on as it was. */
export function toCallFaultReply({ rpc, ...fault }: ToolFault): Reply {
  if (rpc !== undefined) return { kind: 'error', error: rpc }
  const { code, message, ...data } = fault
  const error = { code: errorTable[code].rpc, message, data: { ...data, error_code: code } }
  const { retry_after_ms: retryAfterMs } = fault
  if (code !== 'rate_limited') return { kind: 'error', error }
  return { kind: 'error', error, status: 429, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}
