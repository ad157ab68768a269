import type { Clock } from '@dataagent/guard'

/** A map whose entries may expire, without a timer per entry. */
export interface ExpiringMap<T> {
  get(key: string): T | undefined
  /** Milliseconds until the entry expires (Infinity when never), or undefined when absent. */
  expiresIn(key: string): number | undefined
  set(key: string, value: T, ttlMs: number | undefined): void
  delete(key: string): boolean
  /** Entries held, expired ones not yet swept included. */
  readonly size: number
  /** Up to `count` further keys, expired ones left out; ends by `done`. */
  scan(): { next(count: number): { keys: string[]; done: boolean } }
}

interface Entry<T> {
  value: T
  expiresAt: number
}

/**
 * More than one entry looked at per write: what has expired cannot pile up faster than it is swept.
 */
const sweptPerWrite = 4

export function createExpiringMap<T>(clock: Clock): ExpiringMap<T> {
  const entries = new Map<string, Entry<T>>()
  let sweeper = entries.entries()

  function live(key: string): Entry<T> | undefined {
    const entry = entries.get(key)
    if (entry === undefined || entry.expiresAt > clock.monotonic()) return entry
    entries.delete(key)
    return undefined
  }

  function sweep(): void {
    const now = clock.monotonic()
    for (let looked = 0; looked < sweptPerWrite; looked++) {
      const next = sweeper.next()
      if (next.done) {
        sweeper = entries.entries()
        return
      }
      if (next.value[1].expiresAt <= now) entries.delete(next.value[0])
    }
  }

  return {
    get: (key) => live(key)?.value,
    expiresIn(key) {
      const entry = live(key)
      return entry && entry.expiresAt - clock.monotonic()
    },
    set(key, value, ttlMs) {
      sweep()
      entries.set(key, { value, expiresAt: clock.monotonic() + (ttlMs ?? Infinity) })
    },
    delete: (key) => live(key) !== undefined && entries.delete(key),
    get size() {
      return entries.size
    },
    scan() {
      const keys = entries.keys()
      return {
        next(count) {
          const page: string[] = []
          for (let looked = 0; looked < count; looked++) {
            const { done, value: key } = keys.next()
            if (done) return { keys: page, done: true }
            if (live(key)) page.push(key)
          }
          return { keys: page, done: false }
        },
      }
    },
  }
}
