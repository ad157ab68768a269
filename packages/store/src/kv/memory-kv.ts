import { type Clock, systemClock } from '@dataagent/guard'
import { checkChange, checkKey, checkLimit, checkTtl } from './arguments.ts'
import { createChannels, type ReportError, warnOfError } from './channels.ts'
import { createExpiringMap, type ExpiringMap } from './expiring-map.ts'
import type { Expiry, KeyPage, Kv } from './kv.ts'
import { createLease } from './lease.ts'
import { createMemoryLeases } from './memory-leases.ts'
import { awayError, closedReason, createStateCell } from './state.ts'
import { type Bucket, countInto } from './window.ts'

export interface MemoryKvOptions {
  clock?: Clock
  /** What message handlers throw; by default a process warning. */
  onHandlerError?: ReportError
}

const pageSize = 1_000
/** Listings left unfinished that are remembered; the oldest is then forgotten. */
const openListings = 32

/**
 * A KV inside this process. Away only once it is closed. Times are monotonic: no jump of the wall
 * clock matters.
 */
export function createMemoryKv({
  clock = systemClock,
  onHandlerError = warnOfError,
}: MemoryKvOptions = {}): Kv {
  const state = createStateCell({ status: 'ready' })
  const values = createExpiringMap<string>(clock)
  const windows = createExpiringMap<Bucket[]>(clock)
  const counters = createExpiringMap<number>(clock)
  const leases = createMemoryLeases(clock)
  const channels = createChannels(onHandlerError)
  const listPage = createListing(values)

  function check(key: string, ttlMs?: number): void {
    if (state.current.status === 'closed') throw awayError(closedReason)
    checkKey(key)
    checkTtl(ttlMs)
  }

  return {
    get state() {
      return state.current
    },
    onStateChange: state.onStateChange,
    ready: state.ready,

    async get(key) {
      check(key)
      return values.get(key)
    },
    async set(key, value, { ttlMs } = {}) {
      check(key, ttlMs)
      values.set(key, value, ttlMs)
    },
    async delete(key) {
      check(key)
      return values.delete(key)
    },
    async take(key) {
      check(key)
      const value = values.get(key)
      values.delete(key)
      return value
    },
    async setIfAbsent(key, value, { ttlMs } = {}) {
      check(key, ttlMs)
      if (values.get(key) !== undefined) return false
      values.set(key, value, ttlMs)
      return true
    },
    async compareAndSet(key, expected, next, { ttlMs } = {}) {
      check(key, ttlMs)
      if (values.get(key) !== expected) return false
      if (next === undefined) values.delete(key)
      else values.set(key, next, ttlMs)
      return true
    },
    async expiry(key) {
      check(key)
      return toExpiry(values.expiresIn(key))
    },
    async list(prefix, cursor) {
      check(prefix)
      return listPage(prefix, cursor)
    },

    async count(key, windowLimit) {
      check(key)
      const limit = checkLimit(windowLimit)
      const buckets = windows.get(key) ?? []
      const result = countInto(buckets, limit, clock.monotonic())
      if (result.status === 'ok' && limit.cost > 0) windows.set(key, buckets, limit.windowMs)
      return result
    },
    async add(key, by, bounds = {}) {
      check(key)
      const { max, min, ttlMs } = checkChange(by, bounds)
      const value = counters.get(key) ?? 0
      if (by === 0) return { status: 'ok', value }
      const next = value + by
      if (by > 0 ? next > max : next < min) return { status: 'refused', value }
      if (next === 0) counters.delete(key)
      else counters.set(key, next, ttlMs)
      return { status: 'ok', value: next }
    },

    async publish(channel, text) {
      check(channel)
      queueMicrotask(() => channels.deliver(channel, text))
    },
    async subscribe(channel, handler, { onGap } = {}) {
      check(channel)
      const subscriber = { handler, onGap }
      channels.add(channel, subscriber)
      return async () => void channels.remove(channel, subscriber)
    },

    async acquireLease(name, { ttlMs, owner }) {
      check(name, ttlMs)
      const fence = leases.acquire(name, { ttlMs, owner })
      if (fence === undefined) return undefined
      return createLease({
        name,
        owner,
        fence,
        ttlMs,
        clock,
        askedAt: clock.monotonic(),
        async renew() {
          check(name)
          return leases.renew(name, fence, ttlMs)
        },
        release: async () => leases.release(name, fence),
      })
    },
    async leaseHolder(name) {
      check(name)
      return leases.holder(name)
    },

    async [Symbol.asyncDispose]() {
      state.set({ status: 'closed' })
    },
  }
}

function toExpiry(ms: number | undefined): Expiry {
  if (ms === undefined) return { kind: 'absent' }
  return ms === Infinity ? { kind: 'never' } : { kind: 'in', ms }
}

/**
 * Pages over a map: a cursor names a place kept here, so that a page costs the same however many
 * keys there are.
 */
function createListing<T>(map: ExpiringMap<T>): (prefix: string, cursor?: string) => KeyPage {
  const places = new Map<string, ReturnType<typeof map.scan>>()
  let lastCursor = 0

  return (prefix, cursor) => {
    const place = (cursor && places.get(cursor)) || map.scan()
    if (cursor) places.delete(cursor)
    const { keys, done } = place.next(pageSize)
    const found = keys.filter((key) => key.startsWith(prefix))
    if (done) return { keys: found, cursor: undefined }
    const next = String(++lastCursor)
    places.set(next, place)
    if (places.size > openListings) places.delete(places.keys().next().value ?? '')
    return { keys: found, cursor: next }
  }
}
