import { cancelledError, closedError, protocolError } from '../errors.ts'
import {
  type JsonRpcMessage,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type Sorted,
  sortMessage,
} from '../rpc/messages.ts'
import { readMessages } from '../rpc/read-messages.ts'
import type { CallOptions, Transport, TransportEvents } from './transport.ts'

export interface HandlerContext {
  /** Aborted when the caller no longer waits. */
  signal: AbortSignal | undefined
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
  let events: TransportEvents | undefined

  return {
    kind: 'in-process',
    async start(given) {
      events = given
    },
    call,
    async send(message, { signal } = {}) {
      throwIfEnded(signal)
      await handler(message, toContext(signal))
    },
    async close() {
      closing.abort()
    },
  }

  async function call(request: JsonRpcRequest, { signal }: CallOptions = {}) {
    throwIfEnded(signal)
    const answer = Promise.resolve(handler(request, toContext(signal)))
    return toResponse(await untilEnded(answer, signal), request)
  }

  function toContext(signal: AbortSignal | undefined): HandlerContext {
    return {
      signal: signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]),
      send(message) {
        const sorted = sortMessage(message)
        if (sorted === undefined || sorted.kind === 'response' || closing.signal.aborted) return
        events?.onMessage(sorted.message)
      },
    }
  }

  function throwIfEnded(signal: AbortSignal | undefined): void {
    if (signal?.aborted) throw cancelledError(signal, false)
    if (closing.signal.aborted) throw closedError('the transport is closed', false)
  }

  function untilEnded<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(cancelledError(signal, true))
      const onClose = () => reject(closedError('the transport was closed', true))
      signal?.addEventListener('abort', onAbort, { once: true })
      closing.signal.addEventListener('abort', onClose, { once: true })
      answer.then(resolve, reject).finally(() => {
        signal?.removeEventListener('abort', onAbort)
        closing.signal.removeEventListener('abort', onClose)
      })
    })
  }
}

function toResponse(answer: unknown, request: JsonRpcRequest): JsonRpcResponse {
  const sorted = sort(answer)
  if (sorted?.kind !== 'response' || sorted.message.id !== request.id) {
    throw protocolError(`the server did not answer "${request.method}" with a response to it`)
  }
  return sorted.message
}

function sort(answer: unknown): Sorted | undefined {
  return typeof answer === 'string' ? readMessages(answer)[0] : sortMessage(answer)
}
