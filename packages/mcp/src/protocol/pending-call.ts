import type { Clock } from '@dataagent/guard'
import type { Progress, ServerNotice, ServerQuestions } from '../client/contract.ts'
import {
  cancelledError,
  isMcpError,
  type McpError,
  protocolError,
  timeoutError,
} from '../errors.ts'
import type { Deadline, Deadlines } from './deadlines.ts'

export interface PendingCallOptions {
  method: string
  timeoutMs: number
  signal: AbortSignal | undefined
  onProgress: ((progress: Progress) => void) | undefined
  questions?: ServerQuestions | undefined
  caller?: string | undefined
  onNotice?: ((notice: ServerNotice) => void) | undefined
}

/** Something that waits for what a call does; told when the call has ended. */
export interface CallFollower {
  callEnded(call: PendingCall): void
}

/** One request under way: ended by its answer, its deadline or its caller, whichever is first. */
export class PendingCall implements Deadline {
  readonly id: number
  readonly options: PendingCallOptions
  due: number
  /** Set when it was ended from this side. */
  ending: 'timeout' | 'cancelled' | undefined
  /** Set when the server answered it after that. */
  isAnsweredLate = false
  readonly #clock: Clock
  readonly #deadlines: Deadlines
  readonly #controller = new AbortController()
  #followers: Set<CallFollower> | undefined
  #pauses = 0
  #left = 0

  /** Throws `cancelled` when the caller no longer waits. */
  constructor(
    id: number,
    options: PendingCallOptions,
    time: { clock: Clock; deadlines: Deadlines },
  ) {
    if (options.signal?.aborted) throw cancelledError(options.signal, false)
    this.id = id
    this.options = options
    this.#clock = time.clock
    this.#deadlines = time.deadlines
    this.due = time.clock.monotonic() + options.timeoutMs
    time.deadlines.add(this)
    options.signal?.addEventListener('abort', this)
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

  /** Time does not count until `resume` was called as often. */
  pause(): void {
    this.#pauses += 1
    if (this.#pauses > 1) return
    this.#left = this.due - this.#clock.monotonic()
    this.due = Number.POSITIVE_INFINITY
  }

  resume(): void {
    this.#pauses -= 1
    if (this.#pauses > 0) return
    this.due = this.#clock.monotonic() + this.#left
    this.#deadlines.moved(this)
  }

  follow(follower: CallFollower): void {
    this.#followers ??= new Set()
    this.#followers.add(follower)
  }

  unfollow(follower: CallFollower): void {
    this.#followers?.delete(follower)
  }

  /** Lets go of everything; to be called once the transport has settled. */
  release(): void {
    this.#deadlines.remove(this)
    this.options.signal?.removeEventListener('abort', this)
    if (this.#followers === undefined) return
    for (const follower of this.#followers) follower.callEnded(this)
  }

  /** What the caller is told when the transport has failed with `error`. */
  explain(error: unknown): McpError {
    const { method, signal, timeoutMs } = this.options
    if (this.ending === undefined) {
      return isMcpError(error) ? error : protocolError(`"${method}" failed`, error)
    }
    const mayHaveRun = !isMcpError(error) || error.mayHaveRun
    if (this.ending === 'cancelled') return cancelledError(signal, mayHaveRun)
    return timeoutError(`"${method}"`, timeoutMs, mayHaveRun)
  }

  #end(ending: 'timeout' | 'cancelled'): void {
    if (this.ending !== undefined) return
    this.ending = ending
    this.#controller.abort()
  }
}
