import type { CatalogueEntry, Toolset } from '../catalogue/index.ts'
import { areSame } from './are-same.ts'

type Entries = readonly CatalogueEntry[]

interface Merged {
  brought: Entries
  entries: Entries
}

/** By the list of what is there for the caller anyway: the same array while nothing changes. */
const kept = new WeakMap<Entries, WeakMap<Toolset, Merged>>()

/**
 * A caller's list with what it brings along, which hides a tool of the same name that is there for
 * all. The same array as long as nothing has changed.
 */
export function withBrought(tools: Toolset, brought: Entries, others: Entries): Entries {
  const ofList = kept.get(others) ?? new WeakMap<Toolset, Merged>()
  const known = ofList.get(tools)
  if (known && areSame(known.brought, brought)) return known.entries
  const names = new Set(brought.map(({ sdk_name }) => sdk_name))
  const entries = [...brought, ...others.filter(({ sdk_name }) => !names.has(sdk_name))]
  ofList.set(tools, { brought, entries })
  kept.set(others, ofList)
  return entries
}
