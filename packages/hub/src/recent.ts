/** A map that keeps the entries used last: at least half of `max`, at most all of it. */
export interface Recent<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
}

/** Entries live in two halves. What is used moves to the new half; the old one goes as a whole. */
export function createRecent<V>(max: number): Recent<V> {
  const half = Math.max(1, Math.floor(max / 2))
  let young = new Map<string, V>()
  let old = new Map<string, V>()

  return {
    get: (key) => young.get(key) ?? renew(key),
    set,
  }

  function renew(key: string): V | undefined {
    const value = old.get(key)
    if (value !== undefined) set(key, value)
    return value
  }

  function set(key: string, value: V): void {
    if (young.size >= half && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }
}
