import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Clock } from '@dataagent/guard'
import { type EventStream, openEventStream, type Sent } from './event-stream.ts'
import { sendText } from './send.ts'

/** Where the answer to one request goes: one JSON text, or a stream once more is to be said. */
export interface Outlet {
  /** Whether the client takes a stream. */
  readonly canStream: boolean
  /** Aborts when nobody is to be answered any more. */
  readonly signal: AbortSignal
  /** A message before the answer. Begins the stream; lost where the client takes none. */
  send(text: string, what?: Sent): void
  /** `handler` is called with every heartbeat of the stream. Must not throw. */
  onBeat(handler: () => void): void
  end(text: string, options?: { status?: number; headers?: OutgoingHttpHeaders }): void
}

export interface OutletOptions {
  request: IncomingMessage
  response: ServerResponse
  /** Aborts when nobody is to be answered any more. */
  signal: AbortSignal
  clock: Clock
  /** Of every answer: the id of the session. */
  headers?: OutgoingHttpHeaders | undefined
}

export function createOutlet(options: OutletOptions): Outlet {
  const { request, response, signal, clock, headers } = options
  const accept = request.headers.accept ?? '*/*'
  const canStream = accept.includes('text/event-stream')
  let stream: EventStream | undefined
  let onBeat = () => {}

  return {
    canStream,
    signal,
    send(text, what) {
      if (!canStream || response.destroyed) return
      stream ??= openEventStream({ response, clock, headers, onBeat: () => onBeat() })
      stream.send(text, what)
    },
    onBeat(handler) {
      onBeat = handler
    },
    end(text, options = {}) {
      if (stream === undefined) {
        const { status = 200, headers: more } = options
        return sendText(response, status, { text, headers: { ...headers, ...more } })
      }
      stream.send(text)
      stream.end()
    },
  }
}
