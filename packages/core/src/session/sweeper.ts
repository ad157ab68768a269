import type { Clock } from '@dataagent/guard'
import type { SessionStore } from './contract.ts'
import type { LiveSessions } from './live-sessions.ts'

export interface SweeperOptions {
  store: Pick<SessionStore, 'cleanupExpired'>
  lives: Pick<LiveSessions<unknown>, 'idleFor' | 'end'>
  clock: Clock
  timeoutMs: number
  keepMs: number
  /** Forgets what else is kept of them. */
  onDelete(session_ids: readonly string[]): Promise<void>
  onError(error: unknown, session_id: string | undefined): void
}

export interface Sweeper {
  sweep(): Promise<string[]>
  start(): void
  close(): Promise<void>
}

const batch = 100

/**
 * Frees what sessions hold here that nobody uses any more, then deletes those that are kept no
 * longer. A session with a run under way is neither: whoever runs it writes that it is active.
 */
export function createSweeper(options: SweeperOptions): Sweeper {
  const { store, lives, clock, timeoutMs, keepMs, onDelete, onError } = options
  const everyMs = Math.min(60_000, timeoutMs / 2)
  let cancel: (() => void) | undefined
  let sweeping: Promise<void> | undefined
  let underWay: Promise<string[]> | undefined
  let isClosed = false
  /** Deleted, while something else is still kept of them. */
  let left: string[] = []

  /** Those who ask at the same time share one. */
  function sweep(): Promise<string[]> {
    underWay ??= sweepOnce().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  async function sweepOnce(): Promise<string[]> {
    await Promise.all(lives.idleFor(timeoutMs).map((session_id) => lives.end(session_id)))
    const deleted: string[] = []
    await forget()
    for (;;) {
      const some = await store.cleanupExpired({ before: clock.now() - keepMs, limit: batch })
      await Promise.all(some.map((session_id) => lives.end(session_id)))
      deleted.push(...some)
      left.push(...some)
      await forget()
      if (some.length < batch || isClosed) return deleted
    }
  }

  async function forget(): Promise<void> {
    if (left.length === 0) return
    await onDelete(left)
    left = []
  }

  function run(): void {
    sweeping = sweep().then(
      () => {},
      (error) => onError(error, undefined),
    )
    void sweeping.then(schedule)
  }

  function schedule(): void {
    if (!isClosed) cancel = clock.after(everyMs, run)
  }

  return {
    sweep,
    start() {
      if (cancel === undefined) schedule()
    },
    async close() {
      isClosed = true
      cancel?.()
      await sweeping
    },
  }
}
