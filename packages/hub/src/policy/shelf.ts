import { createSubjectIndex, type Scoped } from './subject-index.ts'

/** A tenant's rules, or its limits: by their id, and by whom and what they speak of. */
export interface Shelf<T extends Scoped> {
  get(id: string): T | undefined
  values(): Iterable<T>
  put(id: string, item: T): void
  take(id: string): void
  find: ReturnType<typeof createSubjectIndex<T>>['find']
}

export function createShelf<T extends Scoped>(): Shelf<T> {
  const byId = new Map<string, T>()
  const index = createSubjectIndex<T>()
  /** A reload may have replaced the item since it was found: what is held goes. */
  const take = (id: string) => {
    const held = byId.get(id)
    byId.delete(id)
    if (held) index.remove(held)
  }
  return {
    get: (id) => byId.get(id),
    values: () => byId.values(),
    put(id, item) {
      take(id)
      byId.set(id, item)
      index.add(item)
    },
    take,
    find: index.find,
  }
}
