import { isPlainObject } from '@dataagent/schema/base'

export type Item = Record<string, unknown>

/** The last list that a server gave, and how it is with the next. */
export interface KeptList {
  kept: { items: readonly Item[]; weight: number; at: number } | undefined
  /** How often the server has said that it has changed, now and when `kept` was asked for. */
  changes: number
  keptAfter: number
  /** When it was asked for that is under way; settles when it was answered or given up. */
  underWay: { since: number; done: Promise<void> } | undefined
  /** What was asked for last did not come. */
  hasFailed: boolean
  /** Until then nobody waits for it. */
  slowUntil: number
}

/** In characters, of one list and of all. What one has beyond it is left out. */
const mostOfOne = 8 * 1024 * 1024
const mostOfAll = 64 * 1024 * 1024
const mostLists = 2_000

/** Lists of servers under their names; those that nobody has asked for of late give way. */
export function createKeptLists() {
  /** Least lately asked for first. */
  const lists = new Map<string, KeptList>()
  let weightOfAll = 0

  function makeRoom(): void {
    for (const [name, { kept }] of lists) {
      if (lists.size <= mostLists && weightOfAll <= mostOfAll) return
      lists.delete(name)
      weightOfAll -= kept?.weight ?? 0
    }
  }

  return {
    peek: (name: string): KeptList | undefined => lists.get(name),
    get(name: string): KeptList {
      const list = lists.get(name) ?? createList()
      lists.delete(name)
      lists.set(name, list)
      makeRoom()
      return list
    },
    put(name: string, given: readonly unknown[], at: number): void {
      const list = lists.get(name)
      if (list === undefined) return
      const { items, weight } = toItems(given)
      weightOfAll += weight - (list.kept?.weight ?? 0)
      list.kept = { items, weight, at }
      makeRoom()
    },
  }
}

function createList(): KeptList {
  const none = { kept: undefined, underWay: undefined }
  return { ...none, changes: 0, keptAfter: 0, hasFailed: false, slowUntil: -Infinity }
}

function toItems(given: readonly unknown[]): { items: Item[]; weight: number } {
  const items: Item[] = []
  let weight = 0
  for (const item of given) {
    if (!isPlainObject(item)) continue
    const more = JSON.stringify(item).length
    if (weight + more > mostOfOne) break
    weight += more
    items.push(item)
  }
  return { items, weight }
}
