import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'

export interface TurnQueueOptions {
  /** Turns that run at once. */
  max: number
  /** Turns of one tenant that run at once. Default: all. */
  perTenant?: number | undefined
  /** Turns that may wait, over all tenants. */
  maxWaiting: number
  clock: Clock
  /** How long one waits before it is sent away. Default 10 s. */
  patienceMs?: number
}

/** Who may run now. Tenants take turns: one that asks for much waits for itself. */
export interface TurnQueue {
  /** Resolves when it is the caller's turn. Rejects with `unavailable`, or the signal's reason. */
  enter(tenant_id: string, signal?: AbortSignal): Promise<Turn>
  readonly running: number
  readonly waiting: number
}

export interface Turn {
  /** Gives the place to another while this one waits for a person; again it does nothing. */
  pause(): void
  /** Takes a place again, at once. */
  resume(): void
  /** Called again it does nothing. */
  leave(): void
}

interface Waiter {
  admit(): void
}

export function createTurnQueue(options: TurnQueueOptions): TurnQueue {
  const { max, perTenant = max, maxWaiting, clock, patienceMs = 10_000 } = options
  /** In the order in which tenants have their turn. */
  const lines = new Map<string, Waiter[]>()
  const runningOf = new Map<string, number>()
  let running = 0
  let waiting = 0

  const mayRun = (tenant_id: string) => running < max && (runningOf.get(tenant_id) ?? 0) < perTenant

  function count(tenant_id: string, by: 1 | -1): void {
    const now = (runningOf.get(tenant_id) ?? 0) + by
    if (now === 0) runningOf.delete(tenant_id)
    else runningOf.set(tenant_id, now)
    running += by
  }

  function createTurn(tenant_id: string): Turn {
    let state: 'running' | 'paused' | 'left' = 'running'
    count(tenant_id, 1)
    const free = () => {
      count(tenant_id, -1)
      admitNext()
    }
    return {
      pause() {
        if (state !== 'running') return
        state = 'paused'
        free()
      },
      resume() {
        if (state !== 'paused') return
        state = 'running'
        count(tenant_id, 1)
      },
      leave() {
        const wasRunning = state === 'running'
        state = 'left'
        if (wasRunning) free()
      },
    }
  }

  function admitNext(): void {
    for (;;) {
      const next = [...lines].find(([tenant_id]) => mayRun(tenant_id))
      if (next === undefined) return
      const [tenant_id, line] = next
      const waiter = line.shift()
      // The tenant goes to the end, behind those that have not had their turn.
      lines.delete(tenant_id)
      if (line.length > 0) lines.set(tenant_id, line)
      waiter?.admit()
    }
  }

  function remove(tenant_id: string, waiter: Waiter): void {
    const line = lines.get(tenant_id)
    const at = line?.indexOf(waiter) ?? -1
    if (line === undefined || at < 0) return
    line.splice(at, 1)
    if (line.length === 0) lines.delete(tenant_id)
  }

  function wait(tenant_id: string, signal: AbortSignal | undefined): Promise<Turn> {
    waiting += 1
    const { promise, resolve, reject } = Promise.withResolvers<Turn>()
    const waiter: Waiter = { admit: () => resolve(createTurn(tenant_id)) }
    const giveUp = (reason: unknown) => {
      remove(tenant_id, waiter)
      reject(reason)
    }
    const onAbort = () => giveUp(signal?.reason)
    const cancelTimer = clock.after(patienceMs, () => giveUp(busy()))
    signal?.addEventListener('abort', onAbort, { once: true })
    const line = lines.get(tenant_id)
    if (line) line.push(waiter)
    else lines.set(tenant_id, [waiter])
    return promise.finally(() => {
      waiting -= 1
      cancelTimer()
      signal?.removeEventListener('abort', onAbort)
    })
  }

  return {
    async enter(tenant_id, signal) {
      signal?.throwIfAborted()
      if (mayRun(tenant_id) && lines.size === 0) return createTurn(tenant_id)
      if (waiting >= maxWaiting) throw busy()
      const turn = wait(tenant_id, signal)
      admitNext()
      return turn
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
  }
}

function busy(): AppError {
  return new AppError(
    'unavailable',
    'The server is busy with other turns: try again in a few seconds.',
    { data: { retryAfterMs: 2_000 } },
  )
}
