import { type Clock, systemClock } from '@dataagent/guard'
import type { CatalogueEntry, Hub } from '@dataagent/hub'
import type { GroupRow } from '../ports.ts'
import type { GroupNames, Groups } from './contract.ts'
import { createHeldPins, type HeldPins } from './held-pins.ts'
import { type NamedList, nameEntries, ownerOf, type Pins, toToolRef } from './named-list.ts'

export interface GroupNamesOptions {
  groups: Pick<Groups, 'get' | 'pinNames'>
  hub: Pick<Hub, 'listTools'>
  clock?: Clock | undefined
  /** Told of what fails in the background. Must not throw. */
  onError?: ((error: unknown) => void) | undefined
}

interface Known extends NamedList {
  group_id: string
  /** What it was made of. */
  pinned_names: string
}

/** After a failure names are stored again no sooner. */
const retryMs = 1_000
const noPins: Pins = Object.freeze({})

export function createGroupNames(options: GroupNamesOptions): GroupNames {
  const { groups, hub, clock = systemClock, onError = () => {} } = options
  const byEntries = new WeakMap<readonly CatalogueEntry[], Known>()
  const held = createHeldPins(groups)

  async function pin(group_id: string, own: HeldPins, fresh: Record<string, string>) {
    own.dueAt = Infinity
    try {
      await groups.pinNames(group_id, fresh)
    } catch (error) {
      onError(error)
    } finally {
      const latest = held.get(group_id)
      if (latest) latest.dueAt = clock.monotonic() + retryMs
    }
  }

  function listOf(row: GroupRow, entries: readonly CatalogueEntry[]): NamedList {
    const own = held.of(row)
    const { group_id } = row
    let known = byEntries.get(entries)
    if (known?.group_id !== group_id || known.pinned_names !== own.text) {
      known = { ...nameEntries(entries, own.pins), group_id, pinned_names: own.text }
      byEntries.set(entries, known)
    }
    if (Object.keys(known.fresh).length > 0 && own.dueAt <= clock.monotonic()) {
      void pin(group_id, own, known.fresh)
    }
    return known
  }

  return {
    nameOf(group_id, entries) {
      const row = groups.get(group_id)
      return row ? listOf(row, entries).names : nameEntries(entries, noPins).names
    },
    refOf(group_id, name) {
      const row = groups.get(group_id)
      if (row === undefined) return undefined
      const pinned = ownerOf(held.of(row).pins, name)
      if (pinned !== undefined) return toToolRef(pinned)
      const { tenant_id } = row
      const principal = { tenant_id, user_id: null, role: 'user', group_id } as const
      return listOf(row, hub.listTools({ principal })).byName.get(name)
    },
  }
}
