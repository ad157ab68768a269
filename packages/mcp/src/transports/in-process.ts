import { cancelledError, closedHereError, type McpError, protocolError } from '../errors.ts'
import { toBrokenError } from '../rpc/broken-answer.ts'
import {
  type JsonRpcMessage,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type RequestId,
  type Sorted,
  sortMessage,
} from '../rpc/messages.ts'
import { readMessages } from '../rpc/read-messages.ts'
import { onceAborted } from './shared/once-aborted.ts'
import { createStartOnce } from './shared/start-once.ts'
import type { CallOptions, Transport, TransportEvents } from './transport.ts'

export interface HandlerContext {
  /** Aborted when the caller no longer waits. */
  signal: AbortSignal
  /** Sends a notification or a request to the client. */
  send(message: JsonRpcMessage): void
}

/**
 * A server inside this process. It answers a request with a JSON-RPC response, as an object or as
 * JSON text; what it returns for a notification or a response is not looked at. What it throws is
 * what the call fails with.
 */
export type InProcessHandler = (message: JsonRpcMessage, context: HandlerContext) => unknown

/** A transport to a function: for servers in the same process, and for tests. */
export function createInProcessTransport(handler: InProcessHandler): Transport {
  const closing = new AbortController()
  const startOnce = createStartOnce()
  let events: TransportEvents | undefined

  return {
    kind: 'in-process',
    async start(given) {
      startOnce()
      events = given
    },
    async call(request, { signal }: CallOptions = {}) {
      return toResponse(await handle(request, signal), request)
    },
    async send(message, { signal }: CallOptions = {}) {
      await handle(message, signal)
    },
    async close() {
      closing.abort()
    },
  }

  /** What the handler gives, or the reason why the caller no longer waits for it. */
  async function handle(message: JsonRpcMessage, signal: AbortSignal | undefined) {
    throwIfEnded(signal)
    const ending = new AbortController()
    const { promise: ended, reject } = Promise.withResolvers<never>()
    ended.catch(() => {})
    const end = (error: McpError) => {
      reject(error)
      ending.abort(error)
    }
    const onClose = () => end(closedHereError('the transport was closed', true))
    const stopListening = [
      onceAborted(closing.signal, onClose),
      signal ? onceAborted(signal, () => end(cancelledError(signal, true))) : () => {},
    ]
    const answered = Promise.try(handler, message, { signal: ending.signal, send })
    try {
      return await Promise.race([answered, ended])
    } finally {
      for (const stop of stopListening) stop()
      if (ending.signal.aborted && 'method' in message && 'id' in message) {
        tellWhenOver(message.id, answered)
      }
    }
  }

  function tellWhenOver(id: RequestId, answered: Promise<unknown>): void {
    const tell = () => {
      if (!closing.signal.aborted) events?.onLateAnswer?.(id)
    }
    void answered.then(tell, tell)
  }

  function send(message: JsonRpcMessage): void {
    const sorted = sortMessage(message)
    if (sorted?.kind !== 'request' && sorted?.kind !== 'notification') return
    if (!closing.signal.aborted) events?.onMessage(sorted.message)
  }

  function throwIfEnded(signal: AbortSignal | undefined): void {
    if (signal?.aborted) throw cancelledError(signal, false)
    if (closing.signal.aborted) throw closedHereError('the transport is closed')
  }
}

function toResponse(answer: unknown, request: JsonRpcRequest): JsonRpcResponse {
  const sorted = sort(answer)
  if (sorted?.kind === 'broken' && sorted.id === request.id) {
    throw toBrokenError(sorted, request.method)
  }
  if (sorted?.kind !== 'response' || sorted.message.id !== request.id) {
    throw protocolError(`the server did not answer "${request.method}" with a response to it`)
  }
  return sorted.message
}

function sort(answer: unknown): Sorted | undefined {
  return typeof answer === 'string' ? readMessages(answer)[0] : sortMessage(answer)
}
