import type { UpstreamKey } from './contract.ts'
import { mostVerbose } from './links/log-levels.ts'
import type { Wishes } from './links/wishes.ts'
import { toMapKey } from './pool-key.ts'

/** What the callers of this process want to be told by each server, connected or not. */
export interface WishBook {
  of(key: UpstreamKey): Wishes
  /** Counted: a server is asked once for all who want to know. Gives how to take it back. */
  add(key: UpstreamKey, uri: string): () => void
  /** The level that tells most stays. */
  raise(key: UpstreamKey, level: string): void
}

interface Entry {
  counts: Map<string, number>
  level: string | undefined
}

const none: Wishes = { uris: [] }

export function createWishBook(): WishBook {
  const entries = new Map<string, Entry>()

  function entryOf(key: UpstreamKey): Entry {
    const found = entries.get(toMapKey(key)) ?? { counts: new Map(), level: undefined }
    entries.set(toMapKey(key), found)
    return found
  }

  return {
    of(key) {
      const entry = entries.get(toMapKey(key))
      return entry ? { uris: [...entry.counts.keys()], level: entry.level } : none
    },
    add(key, uri) {
      const entry = entryOf(key)
      entry.counts.set(uri, (entry.counts.get(uri) ?? 0) + 1)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        const left = (entry.counts.get(uri) ?? 1) - 1
        if (left > 0) entry.counts.set(uri, left)
        else entry.counts.delete(uri)
        if (entry.counts.size === 0 && !entry.level) entries.delete(toMapKey(key))
      }
    },
    raise(key, level) {
      const entry = entryOf(key)
      entry.level = mostVerbose([entry.level, level])
    },
  }
}
