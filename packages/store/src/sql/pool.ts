import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { SqlResult, SqlValue } from './engine.ts'

/**
 * One connection to a database server. After an error that breaks it, `isBroken()` is true for
 * good.
 */
export interface ServerConnection {
  run(sql: string, values: readonly SqlValue[]): Promise<SqlResult>
  isBroken(): boolean
  /** Ends it at once; never throws. */
  destroy(): void
}

export interface PoolOptions {
  /** Opens one connection; rejects with an AppError. */
  connect(): Promise<ServerConnection>
  clock: Clock
  max: number
  /** How long a caller waits for a free connection. */
  acquireTimeoutMs: number
  /** How long an unused connection is kept. */
  idleMs: number
}

export interface Pool {
  acquire(): Promise<ServerConnection>
  release(connection: ServerConnection): void
  size(): number
  /**
   * Ends idle connections now and those in use when they come back; waiting callers are refused.
   */
  close(): Promise<void>
}

interface Waiter {
  /** False where the caller has given up waiting. */
  offer(connection: ServerConnection): boolean
  reject(error: unknown): void
}

/**
 * A bounded pool: a broken connection is never handed out, and a caller never waits without end.
 */
export function createPool({ connect, clock, max, acquireTimeoutMs, idleMs }: PoolOptions): Pool {
  const idle: { connection: ServerConnection; cancelTimer: () => void }[] = []
  const waiting = new Set<Waiter>()
  const drained: (() => void)[] = []
  let open = 0
  let closed = false

  async function openOne(): Promise<ServerConnection> {
    open += 1
    try {
      const connection = await connect()
      if (!closed) return connection
      connection.destroy()
      throw closedError()
    } catch (error) {
      forgetOne()
      throw error
    }
  }

  function forgetOne() {
    open -= 1
    if (open === 0) for (const resolve of drained.splice(0)) resolve()
    const [next] = waiting
    if (!next || closed) return
    waiting.delete(next)
    openOne().then((connection) => {
      if (!next.offer(connection)) release(connection)
    }, next.reject)
  }

  function drop(connection: ServerConnection) {
    connection.destroy()
    forgetOne()
  }

  function takeIdle(): ServerConnection | undefined {
    for (let entry = idle.pop(); entry; entry = idle.pop()) {
      entry.cancelTimer()
      if (!entry.connection.isBroken()) return entry.connection
      drop(entry.connection)
    }
    return undefined
  }

  function waitForOne(): Promise<ServerConnection> {
    return new Promise((resolve, reject) => {
      const cancelTimer = clock.after(acquireTimeoutMs, () => {
        waiting.delete(waiter)
        waiter.reject(
          new AppError(
            'store_unavailable',
            `no database connection was free for ${acquireTimeoutMs} ms`,
          ),
        )
      })
      let waits = true
      const settle = (how: () => void) => {
        waits = false
        cancelTimer()
        how()
      }
      const waiter: Waiter = {
        offer(connection) {
          if (!waits) return false
          settle(() => resolve(connection))
          return true
        },
        reject: (error) => settle(() => reject(error)),
      }
      waiting.add(waiter)
    })
  }

  function release(connection: ServerConnection) {
    if (closed || connection.isBroken()) return drop(connection)
    const [next] = waiting
    if (next) {
      waiting.delete(next)
      next.offer(connection)
      return
    }
    const entry = {
      connection,
      cancelTimer: clock.after(idleMs, () => {
        idle.splice(idle.indexOf(entry), 1)
        drop(connection)
      }),
    }
    idle.push(entry)
  }

  return {
    async acquire() {
      if (closed) throw closedError()
      const connection = takeIdle()
      if (connection) return connection
      return open < max ? openOne() : waitForOne()
    },

    release,
    size: () => open,

    async close() {
      closed = true
      for (const waiter of waiting) waiter.reject(closedError())
      waiting.clear()
      for (const entry of idle.splice(0)) {
        entry.cancelTimer()
        drop(entry.connection)
      }
      if (open > 0) await new Promise<void>((resolve) => drained.push(resolve))
    },
  }
}

function closedError() {
  return new AppError('store_unavailable', 'the database store is closed')
}
