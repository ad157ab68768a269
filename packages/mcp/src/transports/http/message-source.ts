import type { AnswerHead } from '@dataagent/guard'
import { type McpError, protocolError, tooLargeError } from '../../errors.ts'
import { readMessageBytes } from '../../rpc/read-message-bytes.ts'
import { createTimeSlice } from '../../rpc/time-slice.ts'
import { GatheredBytes } from '../event-stream/gathered-bytes.ts'
import { MessageStream, type MessageStreamOptions } from '../event-stream/message-stream.ts'

/** Where messages come from: an event stream, or a body that holds one or a few. */
export interface MessageSource {
  readonly lastEventId?: string | undefined
  readonly retryMs?: number | undefined
  readonly comments?: number
  push(chunk: Buffer): void
  end(error?: McpError): void
  stop(): void
}

/** The messages of a 2xx answer, whichever way it brings them. */
export function openMessageSource(head: AnswerHead, options: MessageStreamOptions): MessageSource {
  return isEventStream(head) ? new MessageStream(options) : new MessageBody(head, options)
}

/** Whether an answer is an event stream. */
export function isEventStream({ headers }: AnswerHead): boolean {
  return toMediaType(headers['content-type']) === 'text/event-stream'
}

/** Whether an answer calls itself JSON. */
export function isJson({ headers }: AnswerHead): boolean {
  return /^application\/(?:json|.+\+json)$/.test(toMediaType(headers['content-type']))
}

function toMediaType(header: string | string[] | undefined): string {
  const [type = ''] = String(header ?? '').split(';', 1)
  return type.trim().toLowerCase()
}

/** A body is taken for JSON whatever it calls itself: servers are careless with that. */
class MessageBody implements MessageSource {
  readonly #head: AnswerHead
  readonly #options: MessageStreamOptions
  readonly #bytes = new GatheredBytes()
  #isStopped = false

  constructor(head: AnswerHead, options: MessageStreamOptions) {
    this.#head = head
    this.#options = options
  }

  push(chunk: Buffer): void {
    const { maxMessageBytes } = this.#options
    const announced = Number(this.#head.headers['content-length'] ?? 0)
    if (this.#bytes.length + chunk.length <= maxMessageBytes && !(announced > maxMessageBytes)) {
      this.#bytes.add(chunk)
    } else this.#tellEnd(tooLargeError(maxMessageBytes))
  }

  end(error?: McpError): void {
    if (error !== undefined || this.#bytes.length === 0) this.#tellEnd(error)
    else void this.#read()
  }

  stop(): void {
    this.#isStopped = true
  }

  async #read(): Promise<void> {
    const { taker, signal } = this.#options
    try {
      const reading = readMessageBytes(this.#bytes.take(), { signal })
      const found = Array.isArray(reading) ? reading : await reading
      const slice = createTimeSlice()
      for (const sorted of found) {
        if (this.#isStopped) return
        taker.message(sorted)
        if (slice.isOver()) await slice.next()
      }
    } catch (error) {
      if (!this.#isStopped) taker.unreadable(this.#explain(error as McpError))
    }
    this.#tellEnd(undefined)
  }

  /** A page of a proxy or a sign-in form is the usual reason. */
  #explain(error: McpError): McpError {
    const type = toMediaType(this.#head.headers['content-type'])
    if (type === '' || type.endsWith('json')) return error
    return protocolError(`the server sent ${type.slice(0, 100)} that is not JSON`, error)
  }

  #tellEnd(error: McpError | undefined): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#options.taker.ended(error)
  }
}
