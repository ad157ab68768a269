import type { CatalogueEntry } from '../catalogue/index.ts'
import { originOf } from '../servers/index.ts'

type Entries = readonly CatalogueEntry[]

/** By the list of all: the same array for the same set while nothing changes. */
const kept = new WeakMap<Entries, WeakMap<ReadonlySet<string>, Entries>>()

/** A list less the tools of these servers. */
export function withoutServers(entries: Entries, without: ReadonlySet<string>): Entries {
  const ofList = kept.get(entries) ?? new WeakMap<ReadonlySet<string>, Entries>()
  kept.set(entries, ofList)
  const left =
    ofList.get(without) ??
    entries.filter(({ own, tool }) => own !== undefined || !without.has(originOf(tool.server_id)))
  ofList.set(without, left)
  return left
}
