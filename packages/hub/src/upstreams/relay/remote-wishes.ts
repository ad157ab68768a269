import type { Clock } from '@dataagent/guard'
import { wishesKeptMs } from '../links/borrowed-wishes.ts'
import type { RefusedWish, Wishes } from '../links/wishes.ts'

/** What this process wants to be told through a connection that another one holds. */
export interface RemoteWishes {
  set(wishes: Wishes): Promise<RefusedWish[]>
  /** Takes all back. */
  end(): void
}

export interface RemoteWishesOptions {
  clock: Clock
  send(wishes: Wishes): Promise<RefusedWish[]>
}

const none: Wishes = { uris: [] }

/** The holder forgets what is not repeated. */
export function createRemoteWishes({ clock, send }: RemoteWishesOptions): RemoteWishes {
  let wished = none
  let cancel: (() => void) | undefined

  return {
    async set(wishes) {
      if (isNone(wished) && isNone(wishes)) return []
      wished = wishes
      repeatLater()
      return await send(wishes)
    },
    end() {
      cancel?.()
      if (!isNone(wished)) void send(none).catch(() => undefined)
      wished = none
    },
  }

  function repeatLater(): void {
    cancel?.()
    if (isNone(wished)) return
    cancel = clock.after(wishesKeptMs / 3, () => {
      void send(wished).catch(() => undefined)
      repeatLater()
    })
  }
}

function isNone({ uris, level }: Wishes): boolean {
  return uris.length === 0 && level === undefined
}
