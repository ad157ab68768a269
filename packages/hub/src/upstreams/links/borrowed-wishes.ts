import type { Clock } from '@dataagent/guard'
import type { Link } from './link.ts'
import type { RefusedWish, Wishes } from './wishes.ts'

/** All that a process wants; or, where `base` is set, what has changed since that revision. */
export interface ToldWishes extends Wishes {
  revision?: number | undefined
  base?: number | undefined
  /** Resources that are no longer wanted. */
  dropped?: readonly string[] | undefined
}

/** What other processes want to be told through a connection of this one, while they say so. */
export interface BorrowedWishes {
  /** Undefined where it is a change of what is not known here. */
  wish(from: string, told: ToldWishes): Promise<RefusedWish[] | undefined>
  end(): void
}

/** A process repeats its wishes every third of this; one that has died does not. */
export const wishesKeptMs = 60_000

interface Kept {
  wishes: Wishes
  revision: number | undefined
  cancel(): void
}

export function createBorrowedWishes(clock: Clock, link: () => Pick<Link, 'wish'>): BorrowedWishes {
  const kept = new Map<string, Kept>()

  return {
    async wish(from, told) {
      const wishes = toWishes(told, kept.get(from))
      if (wishes === undefined) return undefined
      kept.get(from)?.cancel()
      const cancel = clock.after(wishesKeptMs, () => forget(from))
      kept.set(from, { wishes, revision: told.revision, cancel })
      if (wishes.uris.length === 0 && wishes.level === undefined) drop(from)
      return await link().wish(wishes, from)
    },
    end() {
      for (const from of kept.keys()) drop(from)
    },
  }

  function drop(from: string): void {
    kept.get(from)?.cancel()
    kept.delete(from)
  }

  function forget(from: string): void {
    drop(from)
    void link()
      .wish({ uris: [] }, from)
      .catch(() => undefined)
  }
}

function toWishes(told: ToldWishes, kept: Kept | undefined): Wishes | undefined {
  const { uris, level, base, dropped = [] } = told
  if (base === undefined) return { uris, level }
  if (kept?.revision !== base) return undefined
  const left = new Set(kept.wishes.uris).difference(new Set(dropped))
  return { uris: [...left.union(new Set(uris))], level }
}
