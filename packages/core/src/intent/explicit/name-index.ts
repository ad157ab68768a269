import type { CatalogueEntry } from '@dataagent/hub'
import type { ToolServer } from '../contract.ts'
import { foldText } from '../fold-text.ts'
import { keptByLists } from '../kept-by-lists.ts'
import { toShortNames } from './short-names.ts'

/** What a name in a message stands for. */
export interface Named {
  kind: 'tool' | 'server'
  entries: readonly CatalogueEntry[]
  /** Undefined where tools of several servers have the name. */
  server_id: string | undefined
}

/** Tools and servers of an agent by the names that people give them. */
export interface NameIndex {
  /**
   * By the whole name, in any case, with any of `. _ - /` and spaces between its parts; where none
   * has it, by the last parts of a tool's name.
   */
  find(name: string): Named | undefined
  /** By the beginning of one, where only one tool or server begins so. */
  findByPrefix(prefix: string): Named | undefined
}

/** The index of these tools and servers, made when it is first asked for. */
export const nameIndexOf = keptByLists(createNameIndex)

function createNameIndex(
  entries: readonly CatalogueEntry[],
  servers: readonly ToolServer[],
): NameIndex {
  const byId = new Map(servers.map((server) => [server.server_id, server]))
  const tools = groupByKey(entries, (entry) => toolNames(entry, byId.get(entry.tool.server_id)))
  const short = groupByKey(entries, ({ tool }) => toShortNames(tool.name))
  const owners = groupByKey(servers, ({ server_id, name, alias }) => [server_id, name, alias ?? ''])
  const groups: readonly Map<string, unknown[]>[] = [tools, owners, short]
  let sorted: string[] | undefined

  const find = (key: string): Named | undefined => {
    const found = tools.get(key)
    if (found) return toNamed(found)
    const owner = owners.get(key)?.[0]
    if (owner) return toNamedServer(owner, entries)
    const alike = short.get(key)
    return alike && toNamed(alike)
  }

  return {
    find: (name) => find(toNameKey(name)),
    findByPrefix(prefix) {
      sorted ??= [...new Set([...tools.keys(), ...owners.keys(), ...short.keys()])].sort()
      const keys = keysWith(sorted, toNameKey(prefix))
      const meant = new Set(keys.flatMap((key) => groups.flatMap((group) => group.get(key) ?? [])))
      return meant.size === 1 ? find(keys[0]!) : undefined
    },
  }
}

function toolNames({ tool, sdk_name, wire_name }: CatalogueEntry, server?: ToolServer): string[] {
  const { name, definition } = tool
  const inServer = [server?.name, server?.alias, tool.server_id].flatMap((owner) =>
    owner === undefined ? [] : [`${owner}.${name}`],
  )
  return [name, sdk_name, wire_name, ...inServer, definition.title ?? '']
}

function groupByKey<T>(items: readonly T[], namesOf: (item: T) => string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    for (const key of new Set(namesOf(item).map(toNameKey))) {
      if (key === '') continue
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
  }
  return groups
}

function toNameKey(name: string): string {
  return foldText(name.trim()).replaceAll(/[\s._\-/~:]+/g, '_')
}

function toNamed(entries: readonly CatalogueEntry[]): Named {
  const ids = new Set(entries.map(({ tool }) => tool.server_id))
  return { kind: 'tool', entries, server_id: ids.size === 1 ? [...ids][0] : undefined }
}

function toNamedServer({ server_id }: ToolServer, entries: readonly CatalogueEntry[]): Named {
  const own = entries.filter(({ tool }) => tool.server_id === server_id)
  return { kind: 'server', entries: own, server_id }
}

/** How many keys are looked at: where more begin alike, the prefix means nothing. */
const alikeMax = 64

function keysWith(sorted: readonly string[], prefix: string): string[] {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < prefix) low = middle + 1
    else high = middle
  }
  const found: string[] = []
  while (low < sorted.length && sorted[low]!.startsWith(prefix)) {
    if (found.length === alikeMax) return []
    found.push(sorted[low++]!)
  }
  return found
}
