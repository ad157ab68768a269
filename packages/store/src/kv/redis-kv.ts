import { type Clock, systemClock } from '@dataagent/guard'
import { checkChange, checkKey, checkLimit, checkTtl } from './arguments.ts'
import { createChannels, type ReportError, warnOfError } from './channels.ts'
import type { Kv } from './kv.ts'
import { createLease } from './lease.ts'
import { connectRedis } from './redis-connection.ts'
import {
  acquireLeaseScript,
  addScript,
  compareAndSetScript,
  countScript,
  leaseHolderScript,
  releaseLeaseScript,
  renewLeaseScript,
} from './redis-scripts.ts'
import { createRedisSubscriber } from './redis-subscriber.ts'
import { parseRedisUrl } from './redis-url.ts'

export interface RedisKvOptions {
  /** `redis://user:password@host:port/db`, or `rediss://` for TLS. */
  url: string
  /** Put before every key and channel; may be empty where the database is ours alone. */
  prefix: string
  clock?: Clock
  /** How long connecting or one command may take; default 2,000. */
  timeoutMs?: number
  /** What message handlers throw; by default a process warning. */
  onHandlerError?: ReportError
}

/**
 * A KV on Redis 6.2 or later (or Valkey), shared by nodes. A value is the Redis string `prefix +
 * key`; the rest is kept under `prefix + '#'`. Expiry, windows and leases follow the server's
 * clock. With Redis away it is `away`, not broken: it connects again by itself. Throws
 * `config_invalid` when the URL is none.
 */
export function createRedisKv({
  url,
  prefix,
  clock = systemClock,
  timeoutMs = 2_000,
  onHandlerError = warnOfError,
}: RedisKvOptions): Kv {
  const address = parseRedisUrl(url)
  const connect = () => connectRedis({ address, clock, timeoutMs })
  const connection = connect()
  const { run, runScript, state } = connection
  const channels = createChannels(onHandlerError)
  const subscriber = createRedisSubscriber({ connect, channels, prefix })

  function valueKey(key: string, ttlMs?: number): string {
    checkKey(key)
    checkTtl(ttlMs)
    return prefix + key
  }

  function ownKey(kind: 'window' | 'counter' | 'lease', key: string): string {
    checkKey(key)
    return `${prefix}#${kind}:${key}`
  }

  return {
    get state() {
      return state.current
    },
    onStateChange: state.onStateChange,
    ready: state.ready,

    async get(key) {
      const found = valueKey(key)
      return (await run((redis) => redis.get(found))) ?? undefined
    },
    async set(key, value, { ttlMs } = {}) {
      const own = valueKey(key, ttlMs)
      await run((redis) => (ttlMs ? redis.set(own, value, 'PX', ttlMs) : redis.set(own, value)))
    },
    async delete(key) {
      const own = valueKey(key)
      return (await run((redis) => redis.del(own))) === 1
    },
    async take(key) {
      const own = valueKey(key)
      return (await run((redis) => redis.getdel(own))) ?? undefined
    },
    async setIfAbsent(key, value, { ttlMs } = {}) {
      const own = valueKey(key, ttlMs)
      const set = await run((redis) =>
        ttlMs ? redis.set(own, value, 'PX', ttlMs, 'NX') : redis.set(own, value, 'NX'),
      )
      return set === 'OK'
    },
    async compareAndSet(key, expected, next, { ttlMs } = {}) {
      const own = valueKey(key, ttlMs)
      const args = [...optional(expected), ...optional(next), ttlMs ?? 0]
      return (await runScript(compareAndSetScript, own, ...args)) === 1
    },
    async expiry(key) {
      const own = valueKey(key)
      const ms = await run((redis) => redis.pttl(own))
      if (ms === -2) return { kind: 'absent' }
      return ms === -1 ? { kind: 'never' } : { kind: 'in', ms }
    },
    async list(keyPrefix, cursor = '0') {
      const pattern = `${escapeGlob(valueKey(keyPrefix))}*`
      const [next, found] = await run((redis) =>
        redis.scan(cursor, 'MATCH', pattern, 'COUNT', pageSize),
      )
      const keys = found.map((key) => key.slice(prefix.length))
      return { keys, cursor: next === '0' ? undefined : next }
    },

    async count(key, windowLimit) {
      const { max, windowMs, cost } = checkLimit(windowLimit)
      const own = ownKey('window', key)
      const [ok, used, retryAfterMs] = numbers(
        await runScript(countScript, own, max, windowMs, cost),
      )
      if (ok === 1) return { status: 'ok', used: used ?? 0, left: max - (used ?? 0) }
      return { status: 'limited', used: used ?? 0, retryAfterMs: retryAfterMs ?? 0 }
    },
    async add(key, by, bounds = {}) {
      const { max, min, ttlMs } = checkChange(by, bounds)
      const own = ownKey('counter', key)
      const [ok, value] = numbers(await runScript(addScript, own, by, min, max, ttlMs ?? 0))
      return { status: ok === 1 ? 'ok' : 'refused', value: value ?? 0 }
    },

    async publish(channel, text) {
      const own = valueKey(channel)
      await run((redis) => redis.publish(own, text))
    },
    async subscribe(channel, handler, { onGap } = {}) {
      checkKey(channel)
      return subscriber.subscribe(channel, { handler, onGap })
    },

    async acquireLease(name, { ttlMs, owner }) {
      checkTtl(ttlMs)
      const own = ownKey('lease', name)
      const askedAt = clock.monotonic()
      const fence = await runScript(acquireLeaseScript, own, owner, ttlMs)
      if (fence === null) return undefined
      return createLease({
        name,
        owner,
        fence: Number(fence),
        ttlMs,
        askedAt,
        clock,
        renew: async () => (await runScript(renewLeaseScript, own, String(fence), ttlMs)) === 1,
        release: () => runScript(releaseLeaseScript, own, String(fence)),
      })
    },
    async leaseHolder(name) {
      const found = await runScript(leaseHolderScript, ownKey('lease', name))
      if (!Array.isArray(found)) return undefined
      const [owner, fence, leftMs] = found
      return { owner: String(owner), fence: Number(fence), leftMs: Number(leftMs) }
    },

    async [Symbol.asyncDispose]() {
      await subscriber[Symbol.asyncDispose]()
      await connection[Symbol.asyncDispose]()
    },
  }
}

const pageSize = 1_000

function optional(text: string | undefined): (string | number)[] {
  return text === undefined ? [0, ''] : [1, text]
}

function numbers(reply: unknown): number[] {
  return Array.isArray(reply) ? reply.map(Number) : []
}

function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&')
}
