import type { Clock } from '@dataagent/guard'
import { addCall, type Bucket, untilLeft, usedIn } from './window.ts'

export interface WindowSize {
  max: number
  windowMs: number
}

/**
 * Sliding windows of this process, for as long as the KV is away. What the KV said last of a window
 * still counts here until it would have left it, so that going away gives nobody a fresh window.
 */
export interface LocalWindows {
  /** Keeps what the KV said: how much the window holds now. */
  note(key: string, used: number, windowMs: number): void
  /** What was counted here and is still in the window. */
  counted(key: string, windowMs: number): number
  /** 0 where one more fits, else how long until it does. */
  ask(key: string, size: WindowSize): number
  take(key: string, size: WindowSize): void
  /** Windows held, for tests. */
  readonly size: number
}

interface Window {
  /** What the KV said last. */
  seen: Bucket
  /** What was counted here. */
  own: Bucket[]
  expiresAt: number
}

/** More than one looked at per new window: what has expired cannot pile up. */
const sweptPerWindow = 4

export function createLocalWindows(clock: Clock): LocalWindows {
  const windows = new Map<string, Window>()
  let sweeper = windows.entries()

  function sweep(now: number): void {
    for (let looked = 0; looked < sweptPerWindow; looked++) {
      const next = sweeper.next()
      if (next.done) {
        sweeper = windows.entries()
        return
      }
      const [key, { expiresAt }] = next.value
      if (expiresAt <= now) windows.delete(key)
    }
  }

  function use(key: string, windowMs: number, now: number): Window {
    let window = windows.get(key)
    if (window === undefined) {
      sweep(now)
      window = { seen: { opened: now, last: now, calls: 0 }, own: [], expiresAt: 0 }
      windows.set(key, window)
    }
    window.expiresAt = now + windowMs
    return window
  }

  return {
    note(key, used, windowMs) {
      const now = clock.monotonic()
      const { seen } = use(key, windowMs, now)
      seen.last = now
      seen.calls = used
    },
    counted(key, windowMs) {
      const window = windows.get(key)
      if (window === undefined || window.own.length === 0) return 0
      return usedIn(window.own, windowMs, clock.monotonic())
    },
    ask(key, { max, windowMs }) {
      const now = clock.monotonic()
      const { seen, own } = windows.get(key) ?? { seen: undefined, own: [] }
      const all = seen && seen.last + windowMs > now ? [seen, ...own] : own
      const excess = usedIn(all, windowMs, now) + 1 - max
      return excess <= 0 ? 0 : Math.max(1, untilLeft(all, excess, windowMs, now))
    },
    take(key, { windowMs }) {
      const now = clock.monotonic()
      addCall(use(key, windowMs, now).own, windowMs, now)
    },
    get size() {
      return windows.size
    },
  }
}
