import { type Clock, systemClock } from '@dataagent/guard'
import type { EventLog, Messages, Sessions } from '../../sql/index.ts'
import { connectRedis } from '../redis-connection.ts'
import { parseRedisUrl } from '../redis-url.ts'
import { createRedisEventLog } from './redis-event-log.ts'
import { createRedisMessages } from './redis-messages.ts'
import { createRedisSessions } from './redis-sessions.ts'
import { createSessionKeys } from './session-keys.ts'

export interface RedisSessionStoreOptions {
  /** `redis://user:password@host:port/db`, or `rediss://` for TLS. */
  url: string
  /** Put before every key; that of the KV may be the same. */
  prefix: string
  /** How long a session to which nothing is written is kept. Default 3,600,000. */
  ttlMs?: number
  clock?: Clock
  /** How long connecting or one command may take; default 2,000. */
  timeoutMs?: number
}

/** Sessions, their logs and their messages, as an SQL store has them. */
export interface RedisSessionStore extends AsyncDisposable {
  sessions: Sessions
  events: EventLog
  messages: Messages
}

/**
 * Sessions on Redis 6.2 or later (or Valkey) [D13.5]. Every write to a session (its state, an
 * event, a message) gives it another `ttlMs`; then Redis lets go of all of it by itself.
 *
 * A write is acknowledged when Redis has taken it, and is as durable as Redis is set up to be: with
 * `appendonly yes` and `appendfsync always` like a database's; with `everysec` a crash of the
 * machine loses the last second; without an append-only file a restart loses what came since the
 * last snapshot. `maxmemory-policy` must be `noeviction`: a log of which Redis dropped a part takes
 * no further event.
 */
export function createRedisSessionStore({
  url,
  prefix,
  ttlMs = 3_600_000,
  clock = systemClock,
  timeoutMs = 2_000,
}: RedisSessionStoreOptions): RedisSessionStore {
  const connection = connectRedis({ address: parseRedisUrl(url), clock, timeoutMs })
  const part = { connection, keys: createSessionKeys(prefix), ttlMs }
  return {
    sessions: createRedisSessions(part),
    events: createRedisEventLog(part),
    messages: createRedisMessages(part),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
}
