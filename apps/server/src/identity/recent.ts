import type { Clock } from '@dataagent/guard'

/** How long a credential that was looked up is believed: what is revoked ends within a second. */
const believedMs = 900
const most = 10_000

/** What was found out a moment ago. */
export interface Recent<T> {
  /** The value of `name`; looked up again when it is older than a moment. Failures are not kept. */
  get(name: string, find: () => Promise<T>): Promise<T>
  forget(): void
}

export function createRecent<T>(clock: Clock): Recent<T> {
  const found = new Map<string, { value: T; until: number }>()
  let generation = 0

  return {
    async get(name, find) {
      const now = clock.monotonic()
      const known = found.get(name)
      if (known && known.until > now) return known.value
      const before = generation
      const value = await find()
      if (found.size >= most) found.clear()
      // What was looked up before something changed may no longer hold.
      if (before === generation) found.set(name, { value, until: now + believedMs })
      return value
    },
    forget() {
      generation++
      found.clear()
    },
  }
}
