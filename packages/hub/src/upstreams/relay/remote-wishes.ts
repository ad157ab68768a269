import type { Clock } from '@dataagent/guard'
import { type ToldWishes, wishesKeptMs } from '../links/borrowed-wishes.ts'
import type { RefusedWish, Wishes } from '../links/wishes.ts'

/** What this process wants to be told through a connection that another one holds. */
export interface RemoteWishes {
  set(wishes: Wishes): Promise<RefusedWish[]>
  /** Takes all back. */
  end(): void
}

export interface RemoteWishesOptions {
  clock: Clock
  /** Undefined where the holder does not know what is changed: then all is to be said. */
  send(told: ToldWishes): Promise<RefusedWish[] | undefined>
}

const none: Wishes = { uris: [] }

/**
 * One message at a time, with what has changed since the last; what changes meanwhile goes together
 * with the next. The holder forgets what is not repeated.
 */
export function createRemoteWishes({ clock, send }: RemoteWishesOptions): RemoteWishes {
  let wished = none
  /** What the holder has. */
  let known: { wishes: Wishes; revision: number } | undefined
  let revision = 0
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<RefusedWish[]> | undefined
  let cancel: (() => void) | undefined

  return {
    async set(wishes) {
      if (isNone(wished) && isNone(wishes)) return []
      wished = wishes
      repeatLater()
      return await tellSoon()
    },
    end() {
      cancel?.()
      if (!isNone(wished)) void send({ ...none, revision: revision + 1 }).catch(() => undefined)
      wished = none
    },
  }

  function tellSoon(): Promise<RefusedWish[]> {
    next ??= underWay.then(() => {
      next = undefined
      const told = tell(wished)
      underWay = told.catch(() => undefined)
      return told
    })
    return next
  }

  async function tell(wishes: Wishes): Promise<RefusedWish[]> {
    const before = known
    known = undefined
    revision += 1
    const all = { ...wishes, revision }
    const change = before && { ...toChange(before.wishes, wishes), base: before.revision, revision }
    const refused = (change && (await send(change))) ?? (await send(all)) ?? []
    known = { wishes, revision: all.revision }
    return refused
  }

  function repeatLater(): void {
    cancel?.()
    if (isNone(wished)) return
    cancel = clock.after(wishesKeptMs / 3, () => {
      void tellSoon().catch(() => undefined)
      repeatLater()
    })
  }
}

function toChange(before: Wishes, { uris, level }: Wishes): Omit<ToldWishes, 'revision'> {
  const [old, now] = [new Set(before.uris), new Set(uris)]
  return { uris: [...now.difference(old)], dropped: [...old.difference(now)], level }
}

function isNone({ uris, level }: Wishes): boolean {
  return uris.length === 0 && level === undefined
}
