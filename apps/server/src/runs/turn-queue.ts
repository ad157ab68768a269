import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import { createTurnLines, type Waiter } from './turn-lines.ts'

export interface TurnQueueOptions {
  /** Turns that run at once. */
  max: number
  /** Turns of one tenant that run at once. Default: all. */
  perTenant?: number | undefined
  /** New turns that may wait, over all tenants. */
  maxWaiting: number
  /** New turns of one tenant that may wait. Default: all. */
  waitingPerTenant?: number | undefined
  clock: Clock
  /** How long a new one waits before it is sent away. Default 10 s. */
  patienceMs?: number
}

/** Who may run now. Tenants take turns: one that asks for much waits for itself. */
export interface TurnQueue {
  /** Resolves when it is the caller's turn. Rejects with `unavailable`, or the signal's reason. */
  enter(tenant_id: string, signal?: AbortSignal): Promise<Turn>
  readonly running: number
  /** New turns that wait. */
  readonly waiting: number
}

export interface Turn {
  /** Gives the place to another while this one waits for a person; again it does nothing. */
  pause(): void
  /** Asks for a place again: as soon as there is one, ahead of the tenant's new turns. */
  resume(): void
  /** Resolves when it does not wait for a place. Rejects with the signal's reason. */
  ready(signal?: AbortSignal): Promise<void>
  /** Called again it does nothing. */
  leave(): void
}

export function createTurnQueue(options: TurnQueueOptions): TurnQueue {
  const { max, perTenant = max, maxWaiting, clock, patienceMs = 10_000 } = options
  const { waitingPerTenant = maxWaiting } = options
  /** Of no tenant that may run: each change of who runs lets in whom it can. */
  const lines = createTurnLines()
  const runningOf = new Map<string, number>()
  let running = 0

  const mayRun = (tenant_id: string) => running < max && (runningOf.get(tenant_id) ?? 0) < perTenant

  function count(tenant_id: string, by: 1 | -1): void {
    const now = (runningOf.get(tenant_id) ?? 0) + by
    if (now === 0) runningOf.delete(tenant_id)
    else runningOf.set(tenant_id, now)
    running += by
  }

  function admitNext(): void {
    for (let next = lines.next(mayRun); next; next = lines.next(mayRun)) next.admit()
  }

  function createTurn(tenant_id: string): Turn {
    let state: 'running' | 'paused' | 'waiting' | 'left' = 'running'
    let waiting = Promise.withResolvers<void>()
    const waiter: Waiter = { tenant_id, isBack: true, admit: run }

    function run(): void {
      count(tenant_id, 1)
      state = 'running'
      waiting.resolve()
    }

    function stop(next: 'paused' | 'left'): void {
      const before = state
      state = next
      lines.remove(waiter)
      waiting.resolve()
      if (before !== 'running') return
      count(tenant_id, -1)
      admitNext()
    }

    run()
    return {
      pause() {
        if (state !== 'left') stop('paused')
      },
      resume() {
        if (state !== 'paused') return
        if (mayRun(tenant_id)) return run()
        state = 'waiting'
        waiting = Promise.withResolvers()
        lines.add(waiter)
      },
      ready: (signal) => orAborted(waiting.promise, signal),
      leave: () => stop('left'),
    }
  }

  function wait(tenant_id: string, signal: AbortSignal | undefined): Promise<Turn> {
    const { promise, resolve, reject } = Promise.withResolvers<Turn>()
    const admit = () => resolve(createTurn(tenant_id))
    const waiter: Waiter = { tenant_id, isBack: false, admit }
    const giveUp = (reason: unknown) => {
      lines.remove(waiter)
      reject(reason)
    }
    const onAbort = () => giveUp(signal?.reason)
    const cancelTimer = clock.after(patienceMs, () => giveUp(busy()))
    signal?.addEventListener('abort', onAbort, { once: true })
    lines.add(waiter)
    return promise.finally(() => {
      cancelTimer()
      signal?.removeEventListener('abort', onAbort)
    })
  }

  return {
    async enter(tenant_id, signal) {
      signal?.throwIfAborted()
      if (mayRun(tenant_id)) return createTurn(tenant_id)
      const isFull = lines.size >= maxWaiting || lines.sizeOf(tenant_id) >= waitingPerTenant
      if (isFull) throw busy()
      return wait(tenant_id, signal)
    },
    get running() {
      return running
    },
    get waiting() {
      return lines.size
    },
  }
}

async function orAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  await Promise.race([promise, aborted]).finally(() => {
    signal?.removeEventListener('abort', onAbort)
  })
}

function busy(): AppError {
  return new AppError(
    'unavailable',
    'The server is busy with other turns: try again in a few seconds.',
    { data: { retryAfterMs: 2_000 } },
  )
}
