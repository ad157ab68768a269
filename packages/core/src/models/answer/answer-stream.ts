import type { AnswerFlow, AnswerHead, AnswerSink, Clock, RunningCall } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { ModelDelta } from '../contract.ts'
import { AnswerBody } from './answer-body.ts'
import { type AnswerDecoder, Batch } from './answer-decoder.ts'
import { type Answerer, toModelError } from './provider-error.ts'

/** How long an answer may take. */
export interface AnswerLimits {
  /** Between two pieces, and until the first. */
  idleMs: number
  totalMs: number
}

export interface AnswerStreamOptions {
  answerer: Answerer
  decoder: AnswerDecoder
  limits: AnswerLimits
  signal: AbortSignal | undefined
  /** Sends the request. */
  send(sink: AnswerSink): RunningCall
}

type Result = IteratorResult<readonly ModelDelta[], undefined>

/** What may lie here unread before the socket is held back. */
const unreadMax = 1024 * 1024
/** How long a whole answer waits for its usage, and a read one for the end of its body. */
const graceMs = 3_000

const over: Result = Object.freeze({ value: undefined, done: true })

/** One answer of a model, decoded as it comes and handed over in batches. */
export class AnswerStream implements AsyncIterator<readonly ModelDelta[], undefined>, AnswerSink {
  readonly #answerer: Answerer
  readonly #decoder: AnswerDecoder
  readonly #limits: AnswerLimits
  readonly #signal: AbortSignal | undefined
  readonly #clock: Clock
  readonly #batch = new Batch()
  readonly #began: number
  #heard: number
  #call: RunningCall | undefined
  #flow: AnswerFlow | undefined
  #body: AnswerBody | undefined
  #unread = 0
  #waiter: PromiseWithResolvers<Result> | undefined
  #failure: AppError | undefined
  /** Whether all deltas are there. */
  #isDone = false
  /** Whether it is whole but for its usage. */
  #isWaiting = false
  /** Whether nothing more comes from below. */
  #isClosed = false
  #stopTimer: (() => void) | undefined

  constructor({ answerer, decoder, limits, signal, send }: AnswerStreamOptions) {
    this.#answerer = answerer
    this.#decoder = decoder
    this.#limits = limits
    this.#signal = signal
    this.#clock = answerer.clock
    this.#began = this.#clock.monotonic()
    this.#heard = this.#began
    if (signal?.aborted) this.#abort()
    else this.#start(send)
  }

  next(): Promise<Result> {
    if (!this.#batch.isEmpty) return Promise.resolve(this.#take())
    if (this.#failure !== undefined) return this.#reject(this.#failure)
    if (this.#isDone) return Promise.resolve(over)
    this.#waiter ??= Promise.withResolvers()
    return this.#waiter.promise
  }

  return(): Promise<Result> {
    if (!this.#isDone) {
      this.#isDone = true
      this.#close()
    }
    this.#batch.take()
    this.#failure = undefined
    this.#waiter?.resolve(over)
    return Promise.resolve(over)
  }

  begin(head: AnswerHead, flow: AnswerFlow): void {
    this.#body = new AnswerBody(this.#answerer, head, {
      event: (data) => this.#event(data),
      whole: (json) => this.#decoder.addWhole(json, this.#batch),
    })
    this.#flow = flow
    this.#heard = this.#clock.monotonic()
  }

  data(chunk: Buffer): void {
    this.#heard = this.#clock.monotonic()
    if (this.#isDone) {
      this.#drain(chunk)
      return
    }
    try {
      this.#body?.push(chunk)
      this.#hold(chunk)
      this.#hand()
      if (this.#isWhole()) this.#waitForUsage()
    } catch (error) {
      this.#fault(error)
    }
  }

  end(): void {
    try {
      if (!this.#isDone) this.#body?.end()
      this.#complete()
    } catch (error) {
      this.#fault(error)
    }
    this.#close()
  }

  fail(error: AppError): void {
    if (this.#isDone) this.#close()
    else this.#fault(error)
  }

  #start(send: AnswerStreamOptions['send']): void {
    try {
      this.#call = send(this)
      if (this.#isClosed) return
      this.#signal?.addEventListener('abort', this.#abort, { once: true })
      this.#watch(this.#limits.idleMs)
    } catch (error) {
      this.#fail(error)
    }
  }

  #event(data: string): void {
    if (this.#isDone) return
    this.#decoder.add(data, this.#batch)
    if (this.#decoder.state === 'done') this.#finish()
  }

  /** What comes after the answer is read so that the connection can be used again. */
  #drain(chunk: Buffer): void {
    this.#unread += chunk.length
    if (this.#unread > unreadMax) this.#close()
  }

  #hold(chunk: Buffer): void {
    if (this.#waiter !== undefined || this.#isDone) return
    this.#unread += chunk.length
    if (this.#unread > unreadMax) this.#flow?.pause()
  }

  #take(): Result {
    if (this.#unread > unreadMax) this.#flow?.resume()
    this.#unread = 0
    return { value: this.#batch.take(), done: false }
  }

  #hand(): void {
    if (this.#waiter === undefined || this.#batch.isEmpty) return
    const { resolve } = this.#waiter
    this.#waiter = undefined
    resolve(this.#take())
  }

  #complete(): void {
    if (this.#isDone) return
    this.#decoder.end(this.#batch)
    this.#finish()
  }

  #finish(): void {
    this.#isDone = true
    if (this.#unread > unreadMax) this.#flow?.resume()
    this.#unread = 0
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#watch(graceMs)
    this.#hand()
  }

  #isWhole(): boolean {
    return !this.#isDone && this.#decoder.state === 'whole'
  }

  #waitForUsage(): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    this.#watch(graceMs)
  }

  /** What goes wrong after a whole answer does no harm to it. */
  #fault(error: unknown): void {
    if (this.#isWhole()) this.#complete()
    else this.#fail(error)
    this.#close()
  }

  readonly #abort = (): void => {
    const message = `The request to ${this.#answerer.name} was cancelled.`
    const data = { model: this.#answerer.name }
    this.#batch.take()
    this.#fail(new AppError('cancelled', message, { data, cause: this.#signal?.reason }))
  }

  #fail(error: unknown): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#failure = toModelError(this.#answerer, error)
    this.#close()
    if (this.#waiter === undefined) return
    const { resolve } = this.#waiter
    this.#waiter = undefined
    if (this.#batch.isEmpty) resolve(this.#reject(this.#failure))
    else resolve(this.#take())
  }

  #reject(error: AppError): Promise<never> {
    this.#failure = undefined
    return Promise.reject(error)
  }

  /** Lets go of socket, timer and signal. */
  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stopTimer?.()
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#call?.stop()
  }

  #watch(ms: number): void {
    this.#stopTimer?.()
    this.#stopTimer = this.#isClosed ? undefined : this.#clock.after(ms, () => this.#look())
  }

  /** One timer for all: pieces only note when they came. */
  #look(): void {
    const now = this.#clock.monotonic()
    // While it is held back here, the silence is not the model's.
    if (this.#unread > unreadMax) this.#heard = now
    const idle = now - this.#heard
    const allowed = this.#isWaiting ? graceMs : this.#limits.idleMs
    const left = Math.min(allowed - idle, this.#began + this.#limits.totalMs - now)
    if (this.#isDone) this.#close()
    else if (left > 0) this.#watch(left)
    else this.#fault(this.#toTimeout(idle))
  }

  #toTimeout(idle: number): AppError {
    const { name } = this.#answerer
    const what =
      idle >= this.#limits.idleMs
        ? `sent nothing for ${this.#limits.idleMs} ms`
        : `did not end within ${this.#limits.totalMs} ms`
    return new AppError('timeout', `${name} ${what}.`, { data: { model: name } })
  }
}
