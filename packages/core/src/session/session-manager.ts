import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '@dataagent/guard'
import { AppError, isAppError, type Session } from '@dataagent/schema'
import type { MessageStore, SessionLog, SessionStore } from './contract.ts'
import { createLiveSessions } from './live-sessions.ts'
import { createRunLeases, type RunLeases } from './run-leases.ts'
import { createSweeper } from './sweeper.ts'
import { createTurnSaver } from './turn-saver.ts'

/** Whose session it is; from the credential, never from the message. */
export interface SessionOwner {
  tenant_id: string
  user_id: string
}

export interface SessionManagerOptions<E> {
  store: SessionStore
  log: SessionLog
  messages: MessageStore
  /**
   * Makes what runs a session's agent; it must run under `leases`, so that the session stays active
   * while it does and each finished turn is saved. Called once per session and agent.
   */
  createExecutor(session: Session, means: { leases: RunLeases }): E | Promise<E>
  /** How long a session lives without activity. Default 3,600,000. */
  timeoutMs?: number
  /**
   * How long its rows are kept: until then it can be taken up again. Default: as long as it lives.
   */
  keepMs?: number
  /** One run in a session: over all processes where they are over a KV. Default: over this one. */
  leases?: RunLeases | undefined
  clock?: Clock
  /** How many sessions a user may have; null is any number. */
  limitOf?: (owner: SessionOwner) => number | null | Promise<number | null>
  /**
   * Called when a session comes to life in this process, as for `hub.upstreams.hold`. What it gives
   * is called when the session has ended here: deleted, expired, unused, or this manager closed.
   */
  onOpen?: (session: Session) => (() => void | Promise<void>) | undefined
  /**
   * Forgets what else is kept of sessions: before one is deleted that somebody asks for, and after
   * expired ones were; then, where it throws, it is called for them again at the next sweep.
   */
  onDelete?: (session_ids: readonly string[]) => Promise<void>
  /** Told of what went wrong where nobody waits for it. Must not throw. */
  onError?: (error: unknown, session_id: string | undefined) => void
}

/** Gives sessions to their users and frees what is left of them [D13.3] [D13.4]. */
export interface SessionManager<E> extends AsyncDisposable {
  /**
   * The user's session of that id. Where there is none, whether it is unknown, expired or
   * another's, a new one under an id of its own; over the limit that is `quota_exceeded`.
   */
  getOrCreateSession(
    wanted: SessionOwner & { assistant_id: string; session_id?: string | undefined },
  ): Promise<Session>
  /** Throws `not_found`, the same for one that is unknown, expired or another's. */
  getSession(owner: SessionOwner, session_id: string): Promise<Session>
  getExecutor(session: Session): Promise<E>
  /** Throws `not_found` as `getSession`, and `conflict` while a run is under way in it. */
  deleteSession(owner: SessionOwner, session_id: string): Promise<void>
  /** Frees what has timed out, and deletes what is kept no longer; gives the ids of the latter. */
  sweep(): Promise<string[]>
  /** Sweeps from time to time. */
  start(): void
  /** Frees all that this process holds; sessions stay. */
  close(): Promise<void>
}

export function createSessionManager<E>(options: SessionManagerOptions<E>): SessionManager<E> {
  const { store, clock = systemClock, timeoutMs = 3_600_000, keepMs = timeoutMs } = options
  const { leases = createRunLeases({ clock }), limitOf = () => null, onError = () => {} } = options
  const { onDelete = async () => {} } = options
  const saver = createTurnSaver(options)
  const lives = createLiveSessions<E>({
    ...{ store, leases, clock, onError, onRunEnd: saveTurns },
    touchMs: Math.min(60_000, timeoutMs / 4, keepMs / 4),
    open: (session) => options.onOpen?.(session),
  })
  const sweeper = createSweeper({ store, lives, clock, timeoutMs, keepMs, onDelete, onError })

  /** What cannot be saved now is saved with the next turn. */
  async function saveTurns(session_id: string): Promise<void> {
    await saver.save(session_id).catch((error) => onError(error, session_id))
  }

  function isExpired({ last_active }: Session): boolean {
    return clock.now() - last_active > keepMs
  }

  async function find({ tenant_id, user_id }: SessionOwner, session_id: string) {
    const session = await store.get(tenant_id, session_id)
    return session?.user_id === user_id ? session : undefined
  }

  /**
   * As it is used from here on; a process that died may have left turns unsaved. That it is active
   * is bookkeeping: a full disk must keep nobody out, and the next use writes it again.
   */
  async function enter(session: Session): Promise<Session> {
    const isKnown = lives.get(session.session_id) !== undefined
    const live = lives.enter(session)
    try {
      await lives.touch(live)
    } catch (error) {
      if (isAppError(error, 'not_found')) {
        await lives.end(session.session_id)
        throw unknown(session.session_id)
      }
    }
    if (!isKnown) await saveTurns(session.session_id)
    return live.session
  }

  async function create(owner: SessionOwner & { assistant_id: string }, session_id: string) {
    const { tenant_id, user_id, assistant_id } = owner
    const max = (await limitOf({ tenant_id, user_id })) ?? undefined
    const session = toNewSession({ tenant_id, user_id, assistant_id }, session_id, clock.now())
    try {
      await store.create(session, { max })
    } catch (error) {
      if (!isAppError(error, 'quota_exceeded')) throw error
      // Those that have expired count until they are deleted.
      await sweeper.sweep()
      await store.create(session, { max })
    }
    lives.enter(session)
    return session
  }

  /** Under an id of our own: one that was used before is never used again. */
  async function findOrCreate(
    wanted: SessionOwner & { assistant_id: string },
    session_id: string,
  ): Promise<Session> {
    const found = await find(wanted, session_id)
    if (found && !isExpired(found)) return enter(found)
    if (found) await remove(found)
    return create(wanted, randomUUID())
  }

  async function remove({ tenant_id, session_id }: Session): Promise<void> {
    const lease = await leases.acquire(session_id)
    if (lease === undefined) throw underWay(session_id)
    try {
      await onDelete([session_id])
      await store.delete(tenant_id, session_id)
    } finally {
      await lease.release()
    }
    await lives.end(session_id)
  }

  async function getSession(owner: SessionOwner, session_id: string): Promise<Session> {
    const session = await find(owner, session_id)
    if (session === undefined || isExpired(session)) throw unknown(session_id)
    return enter(session)
  }

  async function close(): Promise<void> {
    await sweeper.close()
    await Promise.all(lives.all().map(lives.end))
  }

  return {
    getSession,
    getOrCreateSession({ session_id, ...wanted }) {
      return session_id === undefined
        ? create(wanted, randomUUID())
        : findOrCreate(wanted, session_id)
    },
    async getExecutor(session) {
      const { executors } = lives.get(session.session_id) ?? lives.enter(session)
      const { assistant_id } = session
      const made =
        executors.get(assistant_id) ??
        Promise.try(() => options.createExecutor(session, { leases: lives.leases }))
      executors.set(assistant_id, made)
      made.catch(() => executors.delete(assistant_id))
      return made
    },
    async deleteSession(owner, session_id) {
      const session = await find(owner, session_id)
      if (session === undefined) throw unknown(session_id)
      await remove(session)
    },
    sweep: sweeper.sweep,
    start: sweeper.start,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function toNewSession(
  owner: SessionOwner & { assistant_id: string },
  session_id: string,
  now: number,
): Session {
  return {
    ...owner,
    session_id,
    created_at: now,
    last_active: now,
    state: { thread_id: session_id, auto_approve: false, status: 'idle' },
    metadata: {},
  }
}

function unknown(session_id: string): AppError {
  return new AppError('not_found', `there is no session ${session_id}`)
}

function underWay(session_id: string): AppError {
  return new AppError('conflict', `a run is under way in session ${session_id}: cancel it first`)
}
