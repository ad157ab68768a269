import type { Clock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import { AppError } from '@dataagent/schema/base'

export interface SessionTurnsOptions {
  kv: Pick<Kv, 'setIfAbsent' | 'delete'>
  clock: Clock
}

/** Who reads a session to write it is alone with it, in all processes. */
export interface SessionTurns {
  /** Rejects with `unavailable` where the turn does not come, and with what `work` rejects with. */
  inTurn<T>(session_id: string, work: () => Promise<T>): Promise<T>
  /** Undefined, at once, where another has its turn. */
  ifFree<T>(session_id: string, work: () => Promise<T>): Promise<T | undefined>
}

/** One who dies in a turn holds up the others for so long. */
const turnMs = 2_000
const pauseMs = 20

export function createSessionTurns({ kv, clock }: SessionTurnsOptions): SessionTurns {
  const last = new Map<string, Promise<void>>()
  const keyOf = (session_id: string) => `mcp:transport-turn:${session_id}`
  const pause = () => new Promise<void>((resolve) => void clock.after(pauseMs, resolve))

  async function ifFree<T>(session_id: string, work: () => Promise<T>): Promise<T | undefined> {
    const askedAt = clock.monotonic()
    if (!(await kv.setIfAbsent(keyOf(session_id), '', { ttlMs: turnMs }))) return undefined
    try {
      return await work()
    } finally {
      // After that time it may be another's.
      if (clock.monotonic() - askedAt < turnMs) await kv.delete(keyOf(session_id))
    }
  }

  async function whenFree<T>(session_id: string, work: () => Promise<T>): Promise<T> {
    for (let tries = 0; tries * pauseMs <= 2 * turnMs; tries += 1) {
      const done = await ifFree(session_id, async () => ({ value: await work() }))
      if (done !== undefined) return done.value
      await pause()
    }
    throw new AppError('unavailable', 'The session is being changed. Try again in a moment.')
  }

  return {
    ifFree,
    inTurn(session_id, work) {
      const turn = (last.get(session_id) ?? Promise.resolve()).then(() =>
        whenFree(session_id, work),
      )
      const over = turn.then(
        () => {},
        () => {},
      )
      last.set(session_id, over)
      void over.then(() => last.get(session_id) === over && last.delete(session_id))
      return turn
    },
  }
}
