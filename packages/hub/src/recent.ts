/** A map that keeps the entries used last. */
export interface Recent<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
}

export function createRecent<V>(max: number): Recent<V> {
  const entries = new Map<string, V>()
  let newest: string | undefined

  return {
    get(key) {
      const value = entries.get(key)
      if (value !== undefined && key !== newest) renew(key, value)
      return value
    },
    set(key, value) {
      renew(key, value)
      if (entries.size > max) entries.delete(entries.keys().next().value!)
    },
  }

  function renew(key: string, value: V): void {
    entries.delete(key)
    entries.set(key, value)
    newest = key
  }
}
