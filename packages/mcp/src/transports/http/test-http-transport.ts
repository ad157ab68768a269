import type { McpError } from '../../errors.ts'
import { isMcpError } from '../../errors.ts'
import type { JsonRpcNotification, JsonRpcRequest, RequestId } from '../../rpc/messages.ts'
import type { Era, Transport } from '../transport.ts'
import type { HttpTransportOptions } from './http-options.ts'
import { createHttpTransport } from './http-transport.ts'

/** A transport that keeps what it tells. */
export interface TestTransport extends AsyncDisposable {
  transport: Transport
  messages: (JsonRpcRequest | JsonRpcNotification)[]
  /** The calls that the messages belong to, where that is known. */
  owners: (RequestId | undefined)[]
  closes: McpError[]
  warnings: string[]
  /** The calls that were answered when nobody waited any more. */
  late: RequestId[]
}

/** Starts a transport; closed at the end of its scope. */
export async function startTransport(
  transport: Transport,
  options?: { signal: AbortSignal },
): Promise<TestTransport> {
  const messages: (JsonRpcRequest | JsonRpcNotification)[] = []
  const owners: (RequestId | undefined)[] = []
  const closes: McpError[] = []
  const warnings: string[] = []
  const late: RequestId[] = []
  await transport.start(
    {
      onMessage(message, call) {
        messages.push(message)
        owners.push(call)
      },
      onClose: (error) => void closes.push(error),
      onWarning: (text) => void warnings.push(text),
      onLateAnswer: (id) => void late.push(id),
    },
    options,
  )
  const dispose = () => transport.close()
  return { transport, messages, owners, closes, warnings, late, [Symbol.asyncDispose]: dispose }
}

/** A started transport over Streamable HTTP, in an era where one is given. */
export async function openHttp(options: HttpTransportOptions, era?: Era): Promise<TestTransport> {
  const opened = await startTransport(createHttpTransport(options))
  const { transport } = opened
  if (era === 'modern') transport.negotiated?.({ era, version: '2026-07-28' })
  if (era !== 'legacy') return opened
  await transport.call(toRequest('initialize', {}, 'init'))
  transport.negotiated?.({ era, version: '2025-11-25' })
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return opened
}

/** A request; of the modern era where `params` hold its `_meta`. */
export function toRequest(
  method = 'tools/call',
  params: Record<string, unknown> = {},
  id: string | number = 1,
): JsonRpcRequest {
  return { jsonrpc: '2.0', id, method, params }
}

export const modernMeta = {
  _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
}

/** What a promise is rejected with, which has to be an McpError. */
export async function failureOf(promise: Promise<unknown>): Promise<McpError> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  )
  if (isMcpError(error)) return error
  throw error
}
