import type { Clock } from '@dataagent/guard'
import type { UpstreamKey } from './contract.ts'

/** A user, with the session that needs their servers where it is one that was opened. */
export interface HeldUser {
  tenant_id: string
  user_id: string
  session_id?: string | undefined
}

/** The users who have a session in this process. */
export interface Holds {
  /** Gives the function that ends it; to call that again does nothing. */
  hold(user: HeldUser): () => void
  isHeld(key: UpstreamKey): boolean
  /** When the last session of the user ended, by the monotonic clock; -Infinity for none. */
  releasedAt(key: UpstreamKey): number
  /** Once for each session. */
  users(): Iterable<HeldUser>
  /** Forgets users whose last session ended before that time. */
  forget(before: number): void
}

interface Entry {
  holds: Set<HeldUser>
  releasedAt: number
}

export function createHolds(clock: Clock): Holds {
  const entries = new Map<string, Entry>()

  return {
    hold(user) {
      const name = toName(user)
      const entry: Entry = entries.get(name) ?? { holds: new Set(), releasedAt: 0 }
      entries.set(name, entry)
      const hold = { ...user }
      entry.holds.add(hold)
      return () => {
        if (entry.holds.delete(hold)) entry.releasedAt = clock.monotonic()
      }
    },
    isHeld: (key) => (entryOf(key)?.holds.size ?? 0) > 0,
    releasedAt: (key) => entryOf(key)?.releasedAt ?? Number.NEGATIVE_INFINITY,
    users: () => [...entries.values()].flatMap(({ holds }) => [...holds]),
    forget(before) {
      for (const [name, { holds, releasedAt }] of entries) {
        if (holds.size === 0 && releasedAt < before) entries.delete(name)
      }
    },
  }

  function entryOf({ tenant_id, user_id }: UpstreamKey): Entry | undefined {
    return user_id === null ? undefined : entries.get(toName({ tenant_id, user_id }))
  }
}

function toName({ tenant_id, user_id }: HeldUser): string {
  return `${tenant_id}\n${user_id}`
}
