import type { Notice } from '@dataagent/schema'
import { AppError } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'
import { closeCodes, type Link } from './link.ts'

/** A socket that is signed in and has its session. */
export interface OpenSocket {
  principal: Principal
  session_id: string
  link: Link
}

/** The sockets of this process. */
export interface Sockets {
  /**
   * Throws `quota_exceeded` where the user has too many, `unavailable` once stopped. The function
   * takes it out again.
   */
  add(socket: OpenSocket): () => void
  /** Tells those whom it concerns. */
  tell(concerns: (principal: Principal) => boolean, notice: Notice): void
  readonly size: number
  /** Closes each when `endOf` its session has come, at once where there is nothing to wait for. */
  stop(endOf: (session_id: string) => Promise<void> | undefined, now: number): void
}

export function createSockets({ maxPerUser }: { maxPerUser: number }): Sockets {
  const byUser = new Map<string, Set<OpenSocket>>()
  let size = 0
  let isStopping = false

  function* all(): Iterable<OpenSocket> {
    for (const sockets of byUser.values()) yield* sockets
  }

  return {
    add(socket) {
      if (isStopping) throw new AppError('unavailable', 'The server restarts: connect again.')
      const { tenant_id, user_id } = socket.principal
      const key = JSON.stringify([tenant_id, user_id])
      const sockets = byUser.get(key) ?? new Set()
      if (sockets.size >= maxPerUser) throw tooMany(maxPerUser)
      byUser.set(key, sockets.add(socket))
      size += 1
      return () => {
        if (!sockets.delete(socket)) return
        size -= 1
        if (sockets.size === 0) byUser.delete(key)
      }
    },
    tell(concerns, notice) {
      for (const { principal, link } of all()) if (concerns(principal)) link.send(notice)
    },
    get size() {
      return size
    },
    stop(endOf, now) {
      isStopping = true
      const away = { event_type: 'going_away', timestamp: now, retry_after_ms: 100 } as const
      for (const { link, session_id } of all()) {
        link.send(away)
        const close = () => link.close(closeCodes.goingAway, 'the server restarts')
        const ended = endOf(session_id)
        // What the run said last is sent before the socket closes.
        if (ended) void ended.then(() => setImmediate(close))
        else close()
      }
    },
  }
}

function tooMany(max: number): AppError {
  return new AppError('quota_exceeded', `a user may have ${max} sockets open: close one first`, {
    data: { limit: 'ws_max_sockets_per_user', max },
  })
}
