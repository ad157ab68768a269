import { systemClock } from '@dataagent/guard'
import { cancelledError, closedError, closedHereError, type McpError } from '../../errors.ts'
import type { RequestId, Sorted } from '../../rpc/messages.ts'
import { createWarnings } from '../../rpc/warnings.ts'
import type { CallContext, UnderWay } from '../http/call-context.ts'
import {
  createOutlet,
  defaultMaxMessageBytes,
  type HttpTransportOptions,
} from '../http/http-options.ts'
import { createLane } from '../http/lane.ts'
import { PostedNotice } from '../http/posted-notice.ts'
import { ownOfGet } from '../http/session.ts'
import { createOversizedLines } from '../shared/oversized-lines.ts'
import { createStartOnce } from '../shared/start-once.ts'
import { toText } from '../shared/to-text.ts'
import type { CallOptions, Protocol, Transport, TransportEvents } from '../transport.ts'
import { SseCall } from './sse-call.ts'
import { createSseSession, type SseSession } from './sse-session.ts'
import { openSseStream, type SseStream } from './sse-stream.ts'

/**
 * A transport over HTTP+SSE, of revision 2024-11-05: one stream on which the server says
 * everything, and an address it names there for everything that is said to it. The loss of the
 * stream is the loss of the server.
 */
export function createSseTransport(options: HttpTransportOptions): Transport {
  const outlet = createOutlet(options)
  const { clock = systemClock, maxMessageBytes = defaultMaxMessageBytes } = options
  const active = new Set<UnderWay>()
  const calls = new Map<RequestId, SseCall>()
  const warn = createWarnings({ onWarning: (text) => events?.onWarning(text), clock })
  const oversized = createOversizedLines({
    calls: { fail: failCall, sentIds },
    maxBytes: maxMessageBytes,
    warn,
    clock,
  })
  const startOnce = createStartOnce()
  let events: TransportEvents | undefined
  let session: SseSession | undefined
  let stream: SseStream | undefined
  let lost: McpError | undefined
  let closing: Promise<void> | undefined

  return {
    kind: 'sse',

    async start(given, { signal } = {}) {
      startOnce()
      if (signal?.aborted) throw cancelledError(signal, false)
      events = given
      try {
        const url = await findEndpoint(signal)
        session = createSseSession({ ...outlet.options, url })
      } catch (error) {
        await outlet.close()
        throw error
      }
    },

    async call(request, given: CallOptions = {}) {
      const open = toOpen(given)
      const body = toText(request)
      const call = new SseCall(open, request, given)
      calls.set(request.id, call)
      call.post(body)
      try {
        return await call.answer
      } finally {
        calls.delete(request.id)
      }
    },

    async send(message, given: CallOptions = {}) {
      const open = toOpen(given)
      const body = toText(message)
      const notice = new PostedNotice(open, given)
      notice.post(message, body)
      await notice.taken
    },

    negotiated(protocol: Protocol) {
      session?.agree(protocol)
    },

    close() {
      closing ??= shutDown()
      return closing
    },
  }

  async function findEndpoint(signal: AbortSignal | undefined): Promise<URL> {
    const lane = createLane(outlet.options, ownOfGet)
    const url = new URL(options.url)
    const common = { lane, url, clock, maxMessageBytes, signal, oversized }
    const opened = openSseStream({ ...common, onMessage: deliver, onWarning: warn, onLost: lose })
    stream = opened
    return await untilAborted(opened, signal)
  }

  function toOpen({ signal }: CallOptions): CallContext {
    if (signal?.aborted) throw cancelledError(signal, false)
    if (lost !== undefined) throw closedError('the stream of the server was lost', false, lost)
    if (session === undefined || events === undefined || closing !== undefined) {
      throw closedHereError('the transport is closed')
    }
    const { confidences } = outlet.options
    return { session, events, clock, maxMessageBytes, confidences, active, deliver }
  }

  function deliver(sorted: Sorted): void {
    if (sorted.kind === 'request' || sorted.kind === 'notification') {
      events?.onMessage(sorted.message)
      return
    }
    const { id } = sorted.kind === 'broken' ? sorted : sorted.message
    const call = calls.get(id ?? '')
    if (call !== undefined) call.message(sorted)
    else takeStray(id)
  }

  function takeStray(id: RequestId | null): void {
    if (id !== null) events?.onLateAnswer?.(id)
    warn('the server answered what nobody asked')
  }

  function failCall(id: RequestId, error: McpError): boolean {
    calls.get(id)?.fail(error)
    return calls.has(id)
  }

  function sentIds(): RequestId[] {
    return [...calls].flatMap(([id, call]) => (call.isSent ? [id] : []))
  }

  function lose(error: McpError): void {
    const message = 'the stream of the server was lost'
    lost = closedError(message, false, error)
    oversized.close()
    abandonAll((mayHaveRun) => closedError(message, mayHaveRun, error))
    events?.onClose(lost)
  }

  function abandonAll(toError: (mayHaveRun: boolean) => McpError): void {
    for (const one of [...active]) one.abandon(toError)
  }

  async function shutDown(): Promise<void> {
    oversized.close()
    stream?.stop(closedHereError('the transport was closed'))
    abandonAll((mayHaveRun) => closedHereError('the transport was closed', mayHaveRun))
    await outlet.close()
  }
}

/** The endpoint; when `signal` aborts before it is there, the stream is ended. */
async function untilAborted(
  { endpoint, stop }: SseStream,
  signal: AbortSignal | undefined,
): Promise<URL> {
  const onAbort = () => stop(cancelledError(signal, false))
  signal?.addEventListener('abort', onAbort)
  try {
    return await endpoint
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
