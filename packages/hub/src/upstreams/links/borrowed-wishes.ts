import type { Clock } from '@dataagent/guard'
import type { Link } from './link.ts'
import type { RefusedWish, Wishes } from './wishes.ts'

/** What other processes want to be told through a connection of this one, while they say so. */
export interface BorrowedWishes {
  wish(from: string, wishes: Wishes): Promise<RefusedWish[]>
  end(): void
}

/** A process repeats its wishes every third of this; one that has died does not. */
export const wishesKeptMs = 60_000

export function createBorrowedWishes(clock: Clock, link: () => Pick<Link, 'wish'>): BorrowedWishes {
  const timers = new Map<string, () => void>()

  return {
    async wish(from, wishes) {
      timers.get(from)?.()
      const isNone = wishes.uris.length === 0 && wishes.level === undefined
      if (isNone) timers.delete(from)
      else
        timers.set(
          from,
          clock.after(wishesKeptMs, () => forget(from)),
        )
      return await link().wish(wishes, from)
    },
    end() {
      for (const cancel of timers.values()) cancel()
      timers.clear()
    },
  }

  function forget(from: string): void {
    timers.delete(from)
    void link()
      .wish({ uris: [] }, from)
      .catch(() => undefined)
  }
}
