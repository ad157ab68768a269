import type { Clock } from '@dataagent/guard'
import {
  cancelledError,
  isMcpError,
  type McpError,
  protocolError,
  timeoutError,
} from '../errors.ts'
import type { Deadline, Deadlines } from './deadlines.ts'

export interface PendingCallOptions {
  id: number
  method: string
  timeoutMs: number
  signal: AbortSignal | undefined
  clock: Clock
  deadlines: Deadlines
}

/** One request under way: ended by its answer, its deadline or its caller, whichever is first. */
export class PendingCall implements Deadline {
  readonly id: number
  readonly method: string
  due: number
  ending: 'timeout' | 'cancelled' | undefined
  readonly #options: PendingCallOptions
  readonly #controller = new AbortController()
  #pauses = 0
  #left = 0

  constructor(options: PendingCallOptions) {
    const { signal, clock, deadlines } = options
    if (signal?.aborted) throw cancelledError(signal, false)
    this.id = options.id
    this.method = options.method
    this.due = clock.monotonic() + options.timeoutMs
    this.#options = options
    deadlines.add(this)
    signal?.addEventListener('abort', this)
  }

  /** For the transport: ends with the deadline or the caller's signal. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  expire(): void {
    this.#end('timeout')
  }

  /** The caller's signal has aborted. */
  handleEvent(): void {
    this.#end('cancelled')
  }

  /** Time no longer counts until `resume` was called as often. */
  pause(): void {
    this.#pauses += 1
    if (this.#pauses > 1) return
    this.#left = this.due - this.#options.clock.monotonic()
    this.due = Number.POSITIVE_INFINITY
  }

  resume(): void {
    this.#pauses -= 1
    if (this.#pauses > 0) return
    this.due = this.#options.clock.monotonic() + this.#left
    this.#options.deadlines.moved(this)
  }

  /** Lets go of everything; to be called once the transport has settled. */
  release(): void {
    this.#options.deadlines.remove(this)
    this.#options.signal?.removeEventListener('abort', this)
  }

  /** What the caller is told when the transport has failed with `error`. */
  explain(error: unknown): McpError {
    if (this.ending === undefined) {
      return isMcpError(error) ? error : protocolError(`"${this.method}" failed`, error)
    }
    const mayHaveRun = !isMcpError(error) || error.mayHaveRun
    if (this.ending === 'cancelled') return cancelledError(this.#options.signal, mayHaveRun)
    return timeoutError(`"${this.method}"`, this.#options.timeoutMs, mayHaveRun)
  }

  #end(ending: 'timeout' | 'cancelled'): void {
    if (this.ending !== undefined) return
    this.ending = ending
    this.#controller.abort()
  }
}
