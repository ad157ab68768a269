import type { Clock } from '@dataagent/guard'

/** Requests that count until a moment, all of them. */
interface Share {
  used: number
  until: number
}

interface Count {
  /** What the KV said last of the window. */
  seen: Share
  /** What was let through here alone. */
  own: Share
}

const mostCounts = 10_000

/**
 * Windows of this process alone, for as long as the KV is away. What counts leaves a window
 * together, when the last of it may: a limit may hold longer than in the KV, never less.
 */
export function createLocalCounts(clock: Pick<Clock, 'monotonic'>) {
  /** Oldest first. */
  const counts = new Map<string, Count>()

  function open(key: string): Count {
    const count = { seen: { used: 0, until: 0 }, own: { used: 0, until: 0 } }
    const [oldest] = counts.keys()
    if (counts.size >= mostCounts && oldest !== undefined) counts.delete(oldest)
    counts.set(key, count)
    return count
  }

  const usedOf = ({ used, until }: Share) => (until > clock.monotonic() ? used : 0)

  return {
    /** Keeps what the KV said. */
    note(key: string, used: number, windowMs: number): void {
      const count = counts.get(key) ?? open(key)
      count.seen = { used, until: clock.monotonic() + windowMs }
    },
    /** What the KV does not know of. */
    own(key: string): number {
      const count = counts.get(key)
      return count === undefined ? 0 : usedOf(count.own)
    },
    /** 0 where it was let through, else how long until another one may fit. */
    take(key: string, { max, windowMs }: { max: number; windowMs: number }): number {
      const { seen, own } = counts.get(key) ?? open(key)
      const [bySeen, byOwn] = [usedOf(seen), usedOf(own)]
      const now = clock.monotonic()
      if (bySeen + byOwn < max) {
        Object.assign(own, { used: byOwn + 1, until: now + windowMs })
        return 0
      }
      const ends = [bySeen > 0 ? seen.until : Infinity, byOwn > 0 ? own.until : Infinity]
      return Math.max(1, Math.min(now + windowMs, ...ends) - now)
    },
  }
}
