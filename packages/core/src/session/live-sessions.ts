import type { Clock } from '@dataagent/guard'
import type { Session } from '@dataagent/schema'
import type { SessionStore } from './contract.ts'
import type { RunLease, RunLeases } from './run-leases.ts'

/** What a session that is in use holds in this process. */
export interface LiveSession<E> {
  session: Session
  /** Per agent; a session may be given another. */
  executors: Map<string, Promise<E>>
  /** Runs under way here. */
  runs: number
  /** The monotonic time when it was last used here. */
  usedAt: number
  /** Frees what was opened for it. */
  end: (() => void | Promise<void>) | undefined
}

export interface LiveSessionsOptions {
  store: Pick<SessionStore, 'update'>
  leases: RunLeases
  clock: Clock
  /** `last_active` is written when it is older than this. */
  touchMs: number
  /** Called at a run's end, before another may begin. Must not throw. */
  onRunEnd(session_id: string): Promise<void>
  onError(error: unknown, session_id: string): void
  open(session: Session): LiveSession<unknown>['end']
}

export interface LiveSessions<E> {
  /** The session in this process: opened by the first call, marked as used by each. */
  enter(session: Session): LiveSession<E>
  /** Writes that it is active, unless that was said a short while ago. Throws as the store does. */
  touch(live: LiveSession<E>): Promise<void>
  get(session_id: string): LiveSession<E> | undefined
  /** Frees what it holds here. Does not reject. */
  end(session_id: string): Promise<void>
  /** Those without a run that nobody has used for so long. */
  idleFor(ms: number): string[]
  all(): string[]
  /** As the leases given, for runs of these sessions: a session in which one runs stays active. */
  readonly leases: RunLeases
}

const maxEnded = 10_000

export function createLiveSessions<E>(options: LiveSessionsOptions): LiveSessions<E> {
  const { store, clock, touchMs, onError, open, onRunEnd } = options
  const lives = new Map<string, LiveSession<E>>()
  /** Those that have ended here: who kept its executor may run it again. */
  const ended = new Map<string, Session>()

  async function touch(live: LiveSession<E>): Promise<void> {
    const { tenant_id, session_id, last_active } = live.session
    const now = clock.now()
    if (now - last_active < touchMs) return
    live.session = await store.update(tenant_id, session_id, (session) => ({
      last_active: Math.max(session.last_active, now),
    }))
  }

  /** Says time and again that the session is active, until the run ends. */
  function keepTouching(live: LiveSession<E>): () => void {
    let cancel = clock.after(touchMs, beat)
    return () => cancel()

    function beat(): void {
      touch(live).catch((error) => onError(error, live.session.session_id))
      cancel = clock.after(touchMs, beat)
    }
  }

  async function beginRun(lease: RunLease, live: LiveSession<E>): Promise<RunLease> {
    live.runs += 1
    const stopTouching = keepTouching(live)
    let released: Promise<void> | undefined

    async function release(): Promise<void> {
      stopTouching()
      await onRunEnd(live.session.session_id)
      live.usedAt = clock.monotonic()
      live.runs -= 1
      await lease.release()
    }

    const run: RunLease = {
      lost: lease.lost,
      release: () => {
        released ??= release()
        return released
      },
    }
    try {
      await touch(live)
      return run
    } catch (error) {
      await run.release()
      throw error
    }
  }

  function enter(session: Session): LiveSession<E> {
    const { session_id } = session
    const usedAt = clock.monotonic()
    const live = lives.get(session_id) ?? {
      ...{ session, executors: new Map(), runs: 0, usedAt, end: open(session) },
    }
    ended.delete(session_id)
    lives.set(session_id, live)
    return Object.assign(live, { session, usedAt })
  }

  function enterAgain(session_id: string): LiveSession<E> | undefined {
    const session = ended.get(session_id)
    return session && enter(session)
  }

  return {
    enter,
    touch,
    get: (session_id) => lives.get(session_id),
    async end(session_id) {
      const live = lives.get(session_id)
      lives.delete(session_id)
      if (live) ended.set(session_id, live.session)
      if (ended.size > maxEnded) ended.delete(ended.keys().next().value!)
      try {
        await live?.end?.()
      } catch (error) {
        onError(error, session_id)
      }
    },
    idleFor(ms) {
      const before = clock.monotonic() - ms
      return [...lives.values()]
        .filter(({ runs, usedAt }) => runs === 0 && usedAt <= before)
        .map(({ session }) => session.session_id)
    },
    all: () => [...lives.keys()],
    leases: {
      isHeld: options.leases.isHeld,
      async acquire(session_id) {
        const lease = await options.leases.acquire(session_id)
        const live = lease && (lives.get(session_id) ?? enterAgain(session_id))
        return lease && live ? beginRun(lease, live) : lease
      },
    },
  }
}
