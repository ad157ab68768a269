import type { McpError } from '../../errors.ts'

/** Told when the caller's signal aborts. */
export interface AbortListener {
  handleEvent(): void
}

/** What a caller waits for, until it is there or the caller's signal aborts. */
export class Outcome<T> {
  readonly promise: Promise<T>
  isSettled = false
  readonly #signal: AbortSignal | undefined
  readonly #onAbort: AbortListener
  #resolve: (value: T) => void = () => {}
  #reject: (error: McpError) => void = () => {}

  /** `onAbort` is told, and has to settle it then. */
  constructor(signal: AbortSignal | undefined, onAbort: AbortListener) {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#signal = signal
    this.#onAbort = onAbort
    signal?.addEventListener('abort', onAbort)
  }

  /** Whether this settled it. */
  resolve(value: T): boolean {
    if (!this.#settle()) return false
    this.#resolve(value)
    return true
  }

  /** Whether this settled it. */
  reject(error: McpError): boolean {
    if (!this.#settle()) return false
    this.#reject(error)
    return true
  }

  #settle(): boolean {
    if (this.isSettled) return false
    this.isSettled = true
    this.#signal?.removeEventListener('abort', this.#onAbort)
    return true
  }
}
