import { toWireName } from './names.ts'

/** Things by their name and by its wire name. A name that finds one never finds another. */
export interface NameTable<T> {
  /** By name or wire name. */
  get(name: string): T | undefined
  /** What would answer to `name` or to its wire name. */
  holderOf(name: string): T | undefined
  /** Only where nothing answers to the name yet: see `holderOf`. */
  add(name: string, value: T): void
  /** By name or wire name. Whether there was one. */
  remove(name: string): boolean
  /** In the order they were added. */
  values(): T[]
}

interface Row<T> {
  name: string
  value: T
}

/** Creates an empty table. */
export function createNameTable<T>(): NameTable<T> {
  const byName = new Map<string, Row<T>>()
  const byWireName = new Map<string, Row<T>>()

  const find = (name: string) => byName.get(name) ?? byWireName.get(name)

  return {
    get: (name) => find(name)?.value,
    holderOf: (name) => (find(name) ?? find(toWireName(name)))?.value,
    add(name, value) {
      const row = { name, value }
      byName.set(name, row)
      byWireName.set(toWireName(name), row)
    },
    remove(name) {
      const row = find(name)
      if (row === undefined) return false
      byWireName.delete(toWireName(row.name))
      return byName.delete(row.name)
    },
    values: () => [...byName.values()].map((row) => row.value),
  }
}
