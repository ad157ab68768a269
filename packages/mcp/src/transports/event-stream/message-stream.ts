import type { AnswerFlow } from '@dataagent/guard'
import { type McpError, tooLargeError } from '../../errors.ts'
import type { Sorted } from '../../rpc/messages.ts'
import { readMessageBytes } from '../../rpc/read-message-bytes.ts'
import { createTimeSlice } from '../../rpc/time-slice.ts'
import { EventStreamParser, type StreamEvent } from './event-stream-parser.ts'

/** Takes what a stream holds, in order. None of these may throw. */
export interface MessageTaker {
  message(sorted: Sorted): void
  /** An event that is no message: of another type. */
  other?(type: string, data: Buffer): void
  /**
   * A message over the limit, as it begins; it is skipped. Without this the stream is over then,
   * with a `too_large` error.
   */
  oversized?(head: Buffer): void
  /** That message has ended, so. */
  skipped?(tail: Buffer): void
  /** An event that should hold a message, and does not. */
  unreadable(error: McpError): void
  /** The last of all: the stream has ended, or broke off with `error`. */
  ended(error: McpError | undefined): void
}

export interface MessageStreamOptions {
  maxMessageBytes: number
  flow: AnswerFlow
  taker: MessageTaker
  /** Ends the reading of a large message. */
  signal?: AbortSignal | undefined
}

/** A stream is at rest most of the time: the clock is looked at only after so many of each. */
const eventsPerLook = 16
const chunksPerLook = 4

/**
 * The JSON-RPC messages of an event stream. While a large one is read in slices, and when many come
 * at once, the stream is held back: other work goes on, and what has come already waits its turn.
 */
export class MessageStream {
  readonly #parser: EventStreamParser
  readonly #options: MessageStreamOptions
  readonly #waiting: StreamEvent[] = []
  readonly #slice = createTimeSlice()
  #chunks = 0
  #taken = 0
  #isHeld = false
  #isStopped = false
  #end: { error: McpError | undefined } | undefined

  constructor(options: MessageStreamOptions) {
    this.#options = options
    this.#parser = new EventStreamParser({ maxEventBytes: options.maxMessageBytes })
  }

  get lastEventId(): string | undefined {
    return this.#parser.lastEventId
  }

  get retryMs(): number | undefined {
    return this.#parser.retryMs
  }

  get comments(): number {
    return this.#parser.comments
  }

  push(chunk: Buffer): void {
    for (const event of this.#parser.push(chunk)) {
      if (this.#isHeld) this.#waiting.push(event)
      else this.#take(event)
    }
    this.#chunks += 1
    if (this.#chunks % chunksPerLook === 0) this.#restWhenDue()
  }

  /** No more will come: `error` says why, when it is not the stream's own end. */
  end(error?: McpError): void {
    this.#end ??= { error }
    this.#tellEnd()
  }

  /** The taker hears nothing more. */
  stop(): void {
    this.#isStopped = true
    this.#waiting.length = 0
  }

  #take(event: StreamEvent): void {
    if (this.#isStopped) return
    const { taker, maxMessageBytes } = this.#options
    if (event.kind === 'skipped') taker.skipped?.(event.tail)
    else if (event.kind === 'event') this.#takeData(event.type, event.data)
    else if (taker.oversized !== undefined) taker.oversized(event.head)
    else this.end(tooLargeError(maxMessageBytes))
    this.#taken += 1
    if (this.#taken % eventsPerLook === 0) this.#restWhenDue()
  }

  #restWhenDue(): void {
    if (!this.#isHeld && this.#slice.isOver()) this.#holdFor(this.#slice.next())
  }

  #takeData(type: string, data: Buffer): void {
    const { taker, signal } = this.#options
    if (type !== 'message') taker.other?.(type, data)
    if (type !== 'message' || data.length === 0) return
    try {
      const found = readMessageBytes(data, { signal })
      if (!Array.isArray(found) || found.length > 1) this.#holdFor(this.#deliver(found))
      else for (const sorted of found) taker.message(sorted)
    } catch (error) {
      taker.unreadable(error as McpError)
    }
  }

  async #deliver(reading: Sorted[] | Promise<Sorted[]>): Promise<void> {
    const { taker } = this.#options
    try {
      for (const sorted of await reading) {
        if (this.#isStopped) return
        taker.message(sorted)
        if (this.#slice.isOver()) await this.#slice.next()
      }
    } catch (error) {
      if (!this.#isStopped) taker.unreadable(error as McpError)
    }
  }

  #holdFor(work: Promise<void>): void {
    this.#isHeld = true
    this.#options.flow.pause()
    void work.then(() => this.#goOn())
  }

  #goOn(): void {
    this.#isHeld = false
    while (!this.#isHeld && this.#waiting.length > 0) {
      const event = this.#waiting.shift()
      if (event !== undefined) this.#take(event)
    }
    if (this.#isHeld) return
    this.#options.flow.resume()
    this.#tellEnd()
  }

  #tellEnd(): void {
    if (this.#end === undefined || this.#isHeld || this.#isStopped) return
    this.#isStopped = true
    this.#options.taker.ended(this.#end.error)
  }
}
