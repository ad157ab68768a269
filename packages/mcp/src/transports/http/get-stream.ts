import type { AnswerFlow, AnswerHead, Clock } from '@dataagent/guard'
import { type McpError, protocolError, tooLargeError } from '../../errors.ts'
import type { Sorted } from '../../rpc/messages.ts'
import { MessageStream, type MessageTaker } from '../event-stream/message-stream.ts'
import { createQuietWatch, type QuietWatch } from '../event-stream/quiet-watch.ts'
import { cutOffError, toHttpError } from './http-error.ts'
import type { AnswerReader, RunningRequest } from './lane.ts'
import { isEventStream } from './message-source.ts'
import type { Refusal } from './refusal.ts'
import { findSessionLoss, type HttpSession } from './session.ts'
import { createStreamPlace, type StreamPlace } from './stream-place.ts'

export interface GetStreamOptions {
  session: HttpSession
  clock: Clock
  maxMessageBytes: number
  /** Hears all messages, and of the end when the stream is not opened again. */
  taker: MessageTaker
  /** So often in a row it may fail to open; Infinity for ever. */
  failuresMax: number
  /** Where another stream broke off, to go on from there. */
  place?: StreamPlace
  signal?: AbortSignal | undefined
}

/** A stream that lived so long counts as one that worked. */
const workingMs = 10_000

/**
 * A stream of the server's messages (legacy era), opened by GET and opened again when it ends, from
 * where it ended if the server gave ids for that.
 */
export class GetStream implements AnswerReader, MessageTaker, RunningRequest {
  /** It goes on with something that was sent. */
  readonly sent = true
  /** Whether the server has ever opened it. */
  wasOpen = false
  readonly #options: GetStreamOptions
  readonly #place: StreamPlace
  #running: RunningRequest | undefined
  #stream: MessageStream | undefined
  #watch: QuietWatch | undefined
  #openedAt = 0
  #failures = 0
  #cancelTimer: (() => void) | undefined
  #isStopped = false

  constructor(options: GetStreamOptions) {
    this.#options = options
    this.#place = options.place ?? createStreamPlace()
  }

  /** Opens it now. */
  open(): void {
    const { session, signal } = this.#options
    const own = this.#place.headers()
    const running = session.get.ask({ method: 'GET', own, signal }, this)
    if (this.#isStopped) running.stop()
    else this.#running = running
  }

  /** Opens it when the server wants it, or after a while. */
  openLater(error?: McpError): void {
    const delayMs = this.#place.nextDelayMs({ isFailure: error !== undefined })
    this.#cancelTimer = this.#options.clock.after(delayMs, () => this.open())
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelTimer?.()
    this.#close()
  }

  begin(head: AnswerHead, flow: AnswerFlow): void {
    const { clock, maxMessageBytes, signal } = this.#options
    if (!isEventStream(head)) {
      this.#giveUp(protocolError('the server answered GET with something else than a stream'))
      return
    }
    this.wasOpen = true
    this.#failures = 0
    this.#openedAt = clock.monotonic()
    this.#stream = new MessageStream({ maxMessageBytes, flow, taker: this, signal })
    const onQuiet = () => this.ended(cutOffError('the stream has gone quiet'))
    this.#watch = createQuietWatch({ clock, onQuiet })
  }

  data(chunk: Buffer): void {
    this.#stream?.push(chunk)
    this.#watch?.heard(this.#stream?.comments ?? 0)
  }

  end(): void {
    this.#stream?.end()
  }

  fail(error: McpError): void {
    if (this.#stream === undefined) this.ended(error)
    else this.#stream.end(error)
  }

  refuse(refusal: Refusal): void {
    this.ended(findSessionLoss(refusal, this.#options.session) ?? toHttpError(refusal))
  }

  message(sorted: Sorted): void {
    this.#place.worked()
    this.#options.taker.message(sorted)
  }

  unreadable(error: McpError): void {
    this.#options.taker.unreadable(error)
  }

  oversized(head: Buffer): void {
    const { taker, maxMessageBytes } = this.#options
    if (taker.oversized !== undefined) taker.oversized(head)
    else this.#giveUp(tooLargeError(maxMessageBytes))
  }

  ended(error: McpError | undefined): void {
    if (this.#isStopped) return
    this.#note()
    this.#close()
    if (error !== undefined) this.#failures += 1
    const isOver = error !== undefined && !mayPass(error)
    if (isOver || this.#failures > this.#options.failuresMax) this.#giveUp(error)
    else this.openLater(error)
  }

  #note(): void {
    if (this.#stream === undefined) return
    const isNew = this.#place.note(this.#stream)
    const livedMs = this.#options.clock.monotonic() - this.#openedAt
    if (isNew || livedMs >= workingMs) this.#place.worked()
  }

  #giveUp(error: McpError | undefined): void {
    this.stop()
    this.#options.taker.ended(error)
  }

  #close(): void {
    this.#running?.stop()
    this.#stream?.stop()
    this.#watch?.stop()
    this.#running = undefined
    this.#stream = undefined
    this.#watch = undefined
  }
}

/** Whether waiting may help. */
function mayPass({ retryable, kind }: McpError): boolean {
  return retryable && kind !== 'session_lost' && kind !== 'closed'
}
