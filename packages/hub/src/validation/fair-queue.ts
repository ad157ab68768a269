/** A bounded queue that gives each key its turn. */
export interface FairQueue<T> {
  /** False where it is full, for all or for this key. */
  add(key: string, item: T): boolean
  /** The next item of a key that is not busy; its key is busy until `release`. */
  take(): { key: string; item: T } | undefined
  release(key: string): void
  drain(): T[]
}

export function createFairQueue<T>(limits: { total: number; perKey: number }): FairQueue<T> {
  /** In the order in which the keys have their turn. */
  const waiting = new Map<string, T[]>()
  const busy = new Set<string>()
  let total = 0

  return {
    add(key, item) {
      const items = waiting.get(key) ?? []
      if (total >= limits.total || items.length >= limits.perKey) return false
      items.push(item)
      waiting.set(key, items)
      total += 1
      return true
    },
    take() {
      for (const [key, items] of waiting) {
        if (busy.has(key)) continue
        const item = items.shift()!
        total -= 1
        waiting.delete(key)
        if (items.length > 0) waiting.set(key, items)
        busy.add(key)
        return { key, item }
      }
      return undefined
    },
    release: (key) => void busy.delete(key),
    drain() {
      const all = [...waiting.values()].flat()
      waiting.clear()
      total = 0
      return all
    },
  }
}
