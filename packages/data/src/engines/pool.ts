import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'

/** Something costly that one at a time uses: a connection, a process. */
export interface Pooled {
  /** Settles when it can no longer be used. Never rejects. */
  readonly gone: Promise<unknown>
  /** Ends it; `idle`: nobody uses it. Never rejects; later calls join the first. */
  close(options?: { idle: boolean }): Promise<void>
}

export interface Lease<T> {
  readonly held: T
  /** `spent`: it is closed, not used again. Only the first call counts. */
  release(options: { spent: boolean }): Promise<void>
}

export interface Pool<T extends Pooled> extends AsyncDisposable {
  take(signal: AbortSignal): Promise<Lease<T>>
  /** Closes one that nobody uses; false where there is none. */
  dropIdle(): boolean
}

export interface PoolOptions<T extends Pooled> {
  most: number
  idleMs: number
  open(signal: AbortSignal): Promise<T>
  /** Whether one that nobody uses now may stay open. Default: always. */
  mayKeep?(): boolean
  clock: Clock
}

interface Idle<T> {
  held: T
  cancelTimer(): void
}

/** Keeps a few open, gives out the one used last, and lets the others go after a while. */
export function createPool<T extends Pooled>(options: PoolOptions<T>) {
  const { most, idleMs, open, mayKeep = () => true, clock } = options
  const idle: Idle<T>[] = []
  const all = new Set<T>()
  const waiting: (() => void)[] = []
  let busy = 0
  let closed = false

  async function take(signal: AbortSignal): Promise<Lease<T>> {
    await turn(signal)
    try {
      signal.throwIfAborted()
      return lease(reuse() ?? (await openOne(signal)))
    } catch (error) {
      leave()
      throw error
    }
  }

  async function turn(signal: AbortSignal): Promise<void> {
    if (closed) throw toClosed()
    if (busy < most) {
      busy += 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onAbort = () => {
      const at = waiting.indexOf(resolve)
      if (at === -1) return
      waiting.splice(at, 1)
      reject(signal.reason)
    }
    waiting.push(resolve)
    signal.addEventListener('abort', onAbort, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', onAbort))
    if (closed) throw toClosed()
  }

  /** Hands its place to the one who waits longest. */
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else busy -= 1
  }

  function reuse(): T | undefined {
    const found = idle.pop()
    found?.cancelTimer()
    return found?.held
  }

  async function openOne(signal: AbortSignal): Promise<T> {
    const held = await open(signal)
    all.add(held)
    void held.gone.then(() => {
      all.delete(held)
      forget(held)
    })
    if (!closed) return held
    await held.close()
    throw toClosed()
  }

  function lease(held: T): Lease<T> {
    let released: Promise<void> | undefined
    const end = async (spent: boolean) => {
      if (spent || closed || !all.has(held) || !mayKeep()) await held.close()
      else keep(held)
      leave()
    }
    return {
      held,
      release({ spent }) {
        released ??= end(spent)
        return released
      },
    }
  }

  function keep(held: T): void {
    const cancelTimer = clock.after(idleMs, () => letGo(held))
    idle.push({ held, cancelTimer })
  }

  function letGo(held: T): void {
    forget(held)
    void held.close({ idle: true })
  }

  function forget(held: T): void {
    const at = idle.findIndex((entry) => entry.held === held)
    if (at !== -1) idle.splice(at, 1)[0]!.cancelTimer()
  }

  return {
    take,
    dropIdle() {
      const [oldest] = idle
      if (oldest === undefined) return false
      letGo(oldest.held)
      return true
    },
    async [Symbol.asyncDispose]() {
      closed = true
      for (const { held } of [...idle]) letGo(held)
      for (const resume of waiting.splice(0)) resume()
      await Promise.all([...all].map((held) => held.close()))
    },
  } satisfies Pool<T>
}

function toClosed(): AppError {
  return new AppError('unavailable', 'This source was closed. Ask it again.')
}
