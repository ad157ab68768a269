import { systemClock } from '@dataagent/guard'
import { cancelledError, closedError, closedHereError, type McpError } from '../../errors.ts'
import type {
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  RequestId,
  Sorted,
} from '../../rpc/messages.ts'
import { createWarnings } from '../../rpc/warnings.ts'
import { createStartOnce } from '../shared/start-once.ts'
import { toText } from '../shared/to-text.ts'
import type { CallOptions, Protocol, Transport, TransportEvents } from '../transport.ts'
import type { HttpContext } from './call-context.ts'
import { endSession } from './end-session.ts'
import { createOutlet, defaultMaxMessageBytes, type HttpTransportOptions } from './http-options.ts'
import { createLateStops } from './late-stops.ts'
import { createListening, type Listening } from './listening.ts'
import { PostedCall } from './posted-call.ts'
import { PostedNotice } from './posted-notice.ts'
import { createHttpSession } from './session.ts'

/**
 * A transport over Streamable HTTP, of revisions 2025-03-26 to 2026-07-28. In the legacy era it
 * keeps the session, listens for what the server sends by itself, and resumes answers that break
 * off. In the modern era, and before `negotiated`, a JSON-RPC error that comes with 400 or 404 is
 * an answer; in the legacy era it is an `http` error that holds it as `rpc`.
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const outlet = createOutlet(options)
  const { clock = systemClock, maxMessageBytes = defaultMaxMessageBytes } = options
  const startOnce = createStartOnce()
  let context: HttpContext | undefined
  let listening: Listening | undefined
  let isInitialized = false
  let lost: McpError | undefined
  let closing: Promise<void> | undefined

  return {
    kind: 'http',

    async start(events, { signal } = {}) {
      startOnce()
      if (signal?.aborted) throw cancelledError(signal, false)
      context = createContext(events)
      listening = createListening(context, lose)
    },

    async call(request: JsonRpcRequest, given: CallOptions = {}) {
      const open = toOpen(given)
      const body = toText(request)
      const call = new PostedCall(open, request, given)
      call.post(body)
      return call.answer
    },

    async send(message: JsonRpcNotification | JsonRpcResponse, given: CallOptions = {}) {
      const open = toOpen(given)
      const body = toText(message)
      const notice = new PostedNotice(open, given)
      notice.post(message, body)
      await notice.taken
      if ('method' in message && message.method === 'notifications/initialized') {
        isInitialized = true
        listenWhenDue()
      }
    },

    negotiated(protocol: Protocol) {
      context?.session.agree(protocol)
      listenWhenDue()
    },

    close() {
      closing ??= shutDown()
      return closing
    },
  }

  function createContext({ onMessage, onClose, onWarning }: TransportEvents): HttpContext {
    const session = createHttpSession(outlet.options)
    const events = { onMessage, onClose, onWarning: createWarnings({ onWarning, clock }) }
    const { confidences } = outlet.options
    const common = { session, events, clock, maxMessageBytes, confidences, deliver }
    return { ...common, lateStops: createLateStops(), active: new Set(), resuming: new Map() }
  }

  function toOpen({ signal }: CallOptions): HttpContext {
    if (signal?.aborted) throw cancelledError(signal, false)
    if (lost !== undefined) throw closedError('the session is lost', false, lost)
    if (context === undefined || closing !== undefined) {
      throw closedHereError('the transport is closed')
    }
    return context
  }

  function deliver(sorted: Sorted, call?: RequestId): void {
    if (sorted.kind === 'request' || sorted.kind === 'notification') {
      context?.events.onMessage(sorted.message, call)
      return
    }
    const { id } = sorted.kind === 'broken' ? sorted : sorted.message
    const waiting = context?.resuming.get(id ?? '')
    if (waiting !== undefined) waiting.message(sorted)
    else context?.events.onWarning('the server answered what nobody asked')
  }

  /** Not before the server knows that the handshake is over. */
  function listenWhenDue(): void {
    const isDue = isInitialized && context?.session.protocol?.era === 'legacy'
    if (isDue && closing === undefined) listening?.start()
  }

  function lose(error: McpError): void {
    lost = error
    abandonAll((mayHaveRun) => closedError('the session is lost', mayHaveRun, error))
    context?.events.onClose(error)
  }

  function abandonAll(toError: (mayHaveRun: boolean) => McpError): void {
    for (const one of [...(context?.active ?? [])]) one.abandon(toError)
  }

  async function shutDown(): Promise<void> {
    listening?.stop()
    abandonAll((mayHaveRun) => closedHereError('the transport was closed', mayHaveRun))
    if (context?.session.id !== undefined && lost === undefined) await endSession(context)
    await context?.lateStops.done()
    await outlet.close()
  }
}
