import type { Clock } from '@dataagent/guard'
import { type McpError, protocolError } from '../../errors.ts'
import type { Sorted } from '../../rpc/messages.ts'
import { MessageStream, type MessageTaker } from '../event-stream/message-stream.ts'
import { createQuietWatch } from '../event-stream/quiet-watch.ts'
import { cutOffError, toHttpError } from '../http/http-error.ts'
import type { AnswerReader, Lane, RunningRequest } from '../http/lane.ts'
import { isEventStream } from '../http/message-source.ts'
import type { OversizedLines } from '../shared/oversized-lines.ts'

export interface SseStreamOptions {
  /** Of the stream. */
  lane: Lane
  url: URL
  clock: Clock
  maxMessageBytes: number
  signal: AbortSignal | undefined
  onMessage(sorted: Sorted): void
  onWarning(text: string): void
  /** Finds out whose a message is that is too large. */
  oversized: Pick<OversizedLines, 'begin' | 'end'>
  /** Called once, after the endpoint was there and never after `stop`. */
  onLost(error: McpError): void
}

export interface SseStream {
  /** Where messages are to be sent. Rejects when the stream fails before it says so. */
  endpoint: Promise<URL>
  /** Ends it; who still waits for the endpoint is told why. */
  stop(reason: McpError): void
}

/** Opens the one stream on which a server of revision 2024-11-05 says everything. */
export function openSseStream(options: SseStreamOptions): SseStream {
  const { lane, url, clock, maxMessageBytes, signal, onMessage, onWarning, oversized, onLost } =
    options
  const { promise: endpoint, resolve, reject } = Promise.withResolvers<URL>()
  const watch = createQuietWatch({ clock, onQuiet: () => taker.ended(undefined) })
  let stream: MessageStream | undefined
  let running: RunningRequest | undefined
  let isReady = false
  let isOver = false

  const taker: MessageTaker = {
    message: onMessage,
    unreadable: (error) => onWarning(`an event of the server was skipped: ${error.message}`),
    other,
    oversized: (head) => oversized.begin(head),
    skipped: (tail) => oversized.end(tail),
    ended: (error) => fail(error ?? cutOffError('the stream of the server ended')),
  }

  const reader: AnswerReader = {
    begin(head, flow) {
      if (isEventStream(head)) stream = new MessageStream({ maxMessageBytes, flow, taker })
      else fail(protocolError('the server answered GET with something else than a stream'))
    },
    data(chunk) {
      stream?.push(chunk)
      watch.heard(stream?.comments ?? 0)
    },
    end: () => stream?.end(),
    refuse: (refusal) => fail(toHttpError(refusal)),
    fail(error) {
      if (stream === undefined) fail(error)
      else stream.end(error)
    },
  }

  running = lane.ask({ method: 'GET', signal }, reader)
  if (isOver) running.stop()
  return { endpoint, stop }

  function other(type: string, data: Buffer): void {
    if (type !== 'endpoint' || isReady) return
    const found = URL.parse(data.toString(), url.href)
    if (found === null || found.origin !== url.origin || found.username + found.password !== '') {
      fail(protocolError('the server wants messages sent to another origin than its own'))
      return
    }
    isReady = true
    resolve(found)
  }

  function fail(error: McpError): void {
    if (isOver) return
    stop(error)
    if (isReady) onLost(error)
  }

  function stop(reason: McpError): void {
    isOver = true
    watch.stop()
    stream?.stop()
    running?.stop()
    reject(reason)
  }
}
