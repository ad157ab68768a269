import type { AnswerHead } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import { ByteHeap } from './byte-heap.ts'
import { EventLines } from './event-lines.ts'
import { type Answerer, toHttpError } from './provider-error.ts'

/** Takes what a body says. */
export interface BodySink {
  /** The data of an event. */
  event(data: string): void
  /** The whole body, where it is one JSON text. */
  whole(json: string): void
}

/** Of a body that is no stream. */
const wholeMax = 16 * 1024 * 1024
const streamMax = 256 * 1024 * 1024
/** Of an error's body so much is looked at. */
const errorMax = 8 * 1024

/** The body of an answer: a stream of events, one JSON text, or that of a refusal. */
export class AnswerBody {
  readonly #answerer: Answerer
  readonly #head: AnswerHead
  readonly #sink: BodySink
  readonly #bytes = new ByteHeap()
  #lines: EventLines | undefined
  #length = 0

  constructor(answerer: Answerer, head: AnswerHead, sink: BodySink) {
    this.#answerer = answerer
    this.#head = head
    this.#sink = sink
  }

  /** Throws what a refusal says, `upstream_failed` for too much, and what the sink throws. */
  push(chunk: Buffer): void {
    this.#length += chunk.length
    if (this.#length > streamMax) throw tooMuch()
    if (this.#length === chunk.length && this.#isStream(chunk)) {
      this.#lines = new EventLines((data) => this.#sink.event(data))
    }
    if (this.#lines !== undefined) this.#lines.push(chunk)
    else this.#keep(chunk)
  }

  end(): void {
    if (this.#isRefused()) throw this.#toHttpError()
    if (this.#lines !== undefined) this.#lines.end()
    else if (this.#length > 0) this.#sink.whole(this.#bytes.take())
  }

  #keep(chunk: Buffer): void {
    this.#bytes.add(chunk)
    if (this.#bytes.length > wholeMax) throw tooMuch()
    if (this.#isRefused() && this.#bytes.length >= errorMax) throw this.#toHttpError()
  }

  #isRefused(): boolean {
    const { status } = this.#head
    return status < 200 || status >= 300
  }

  /** Whether it is no JSON text: by its type, or by how it begins where that says little. */
  #isStream(chunk: Buffer): boolean {
    const type = String(this.#head.headers['content-type'] ?? '')
    if (this.#isRefused()) return false
    if (type.includes('event-stream')) return true
    return !type.includes('json') && !/^\s*[{[]/.test(chunk.toString('latin1', 0, 64))
  }

  #toHttpError(): AppError {
    const { status, headers } = this.#head
    const body = this.#bytes.take().slice(0, errorMax)
    return toHttpError(this.#answerer, { status, headers, body })
  }
}

function tooMuch(): AppError {
  return new AppError('upstream_failed', 'The model sent more than an answer may have.')
}
