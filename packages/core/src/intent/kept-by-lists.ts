import type { CatalogueEntry } from '@dataagent/hub'
import type { ToolServer } from './contract.ts'

/** What is made of the tools and servers of an agent. */
type OfLists<T> = (entries: readonly CatalogueEntry[], servers: readonly ToolServer[]) => T

/** Makes it once for the same two lists, when it is first asked for, and keeps it with them. */
export function keptByLists<T>(make: OfLists<T>): OfLists<T> {
  const kept = new WeakMap<readonly CatalogueEntry[], WeakMap<readonly ToolServer[], T>>()
  return (entries, servers) => {
    const byServers = kept.get(entries) ?? new WeakMap<readonly ToolServer[], T>()
    kept.set(entries, byServers)
    const made = byServers.get(servers) ?? make(entries, servers)
    byServers.set(servers, made)
    return made
  }
}
