import type { OwnTool } from '../define-tool/index.ts'
import { toSkeleton } from '../poisoning/index.ts'
import {
  type Edition,
  originOf,
  platformTenant,
  type RegisteredServer,
  type Servers,
} from '../servers/index.ts'
import type { ToolRef } from '../tool-ref.ts'
import type { CatalogueChange, CatalogueEntry, CatalogueTool } from './contract.ts'
import { isAccepted, isSameStanding, type Standing } from './decide.ts'
import { toLabels, toServerKey } from './labels.ts'
import { createNameIndex, type ToolNames, toOwnNames, toToolNames } from './name-index.ts'
import { createOfferer, isSameOffer, type Link, notConnectedYet } from './offers.ts'
import { standingOf } from './row.ts'

/** A tool as this process knows it. */
export interface Known {
  readonly group: Group
  tool: CatalogueTool
  own?: OwnTool
  /** What the database holds; undefined where nothing. Memory may have withdrawn more. */
  stored: (Standing & { seen_at: number }) | undefined
  /** The versions that the database holds, by their hash. */
  hashes: Map<string, number>
  /** What its server offered last, in this run: its text, and the hash that it has. */
  seen?: { text: string; hash: string } | undefined
  /** The observation that withdrew it in memory before the database has it. */
  withdrawn?: number | undefined
  names: ToolNames
  entry: CatalogueEntry
}

/** The tools of one server. */
export interface Group {
  readonly tenant_id: string
  readonly server_id: string
  link: Link
  /** Counts the lists that were seen, so that one that is overtaken can be told. */
  observations: number
  /** The hash of each tool in the last list. */
  listed: ReadonlyMap<string, string>
  /** Counts all that was observed, lists and losses. */
  sightings: number
  readonly tools: Map<string, Known>
  /** Versions, by hash, of tools that it had before it was removed and came back. */
  past: ReadonlyMap<string, ReadonlyMap<string, number>>
  entries: readonly CatalogueEntry[]
  /** How many of the last list there was no place for. */
  refused: number
}

export interface ToolMemoryOptions {
  servers: Pick<Servers, 'get' | 'all' | 'editions'>
}

export type ToolMemory = ReturnType<typeof createToolMemory>

/** What is known of every tool, with the indices by which it is found. Touches no database. */
export function createToolMemory({ servers }: ToolMemoryOptions) {
  const groups = new Map<string, Group>()
  const ofTenant = new Map<string, Set<Group>>()
  const byName = createNameIndex<Known>()
  const bySkeleton = createNameIndex<Known>()
  const handlers = new Set<(change: CatalogueChange) => void>()
  const labelAll = () => toLabels(servers.all(), servers.editions())
  let labels = labelAll()
  let revision = 0

  function groupOf(tenant_id: string, server_id: string): Group {
    const key = toServerKey({ tenant_id, server_id })
    const found = groups.get(key)
    if (found) return found
    const group: Group = {
      tenant_id,
      server_id,
      link: notConnectedYet,
      observations: 0,
      listed: new Map(),
      sightings: 0,
      tools: new Map(),
      past: new Map(),
      entries: [],
      refused: 0,
    }
    groups.set(key, group)
    ofTenant.set(tenant_id, (ofTenant.get(tenant_id) ?? new Set()).add(group))
    return group
  }

  const serverOf = ({ tenant_id, server_id }: Group) => servers.get(tenant_id, server_id)

  function namesOf(group: Group, name: string, own: OwnTool | undefined): ToolNames {
    const ref = { server_id: group.server_id, name }
    if (own) return toOwnNames(ref)
    return toToolNames(ref, labels.get(toServerKey(group)) ?? group.server_id, serverOf(group))
  }

  /** Adds a tool, or puts another state in its place; `renew` makes it seen. */
  function set(group: Group, tool: CatalogueTool, fields: Partial<Known> = {}): Known {
    const known = group.tools.get(tool.name)
    if (known) return Object.assign(known, fields, { tool })
    const names = namesOf(group, tool.name, fields.own)
    const { sdk_name, wire_name } = names
    const offer = { status: 'withheld', why: 'gone' } as const
    const entry = { tool, offer, sdk_name, wire_name }
    const hashes = new Map(group.past.get(tool.name))
    const added = { group, tool, stored: undefined, hashes, names, entry, ...fields }
    group.tools.set(tool.name, added)
    byName.add(group.tenant_id, names.accepted, added)
    bySkeleton.add(group.tenant_id, [toSkeleton(tool.name)], added)
    return added
  }

  function remove(known: Known): void {
    const { group, names, tool } = known
    group.tools.delete(tool.name)
    byName.remove(group.tenant_id, names.accepted, known)
    bySkeleton.remove(group.tenant_id, [toSkeleton(tool.name)], known)
  }

  /** Makes the entries of a server anew, and tells of those that changed. */
  function renew(group: Group, drift: CatalogueChange['drift'] = []): void {
    const toOffer = createOfferer(group.link, serverOf(group))
    const before = new Set(group.entries)
    const ordered = [...group.tools.values()].sort((a, b) => a.tool.position - b.tool.position)
    const changed: string[] = []
    for (const known of ordered) {
      const entry = toEntry(known, toOffer(known.tool))
      if (!before.has(known.entry) || !looksSame(entry, known.entry)) changed.push(known.tool.name)
      before.delete(known.entry)
      known.entry = entry
    }
    for (const { tool } of before) if (!group.tools.has(tool.name)) changed.push(tool.name)
    group.entries = ordered.map(({ entry }) => entry)
    if (changed.length > 0 || drift.length > 0) tell(group, changed, drift)
  }

  function tell(
    { tenant_id, server_id }: Group,
    tools: readonly string[],
    drift: NonNullable<CatalogueChange['drift']>,
  ) {
    revision += 1
    const change = { tenant_id, server_id, tools, ...(drift.length > 0 && { drift }) }
    for (const handler of handlers) handler(change)
  }

  /** After a change of a server's configuration: labels, filters and switches may differ. */
  function renewServers(changed: Group | undefined): void {
    const old = labels
    labels = labelAll()
    for (const [key, group] of groups) {
      const isRenamed = old.get(key) !== labels.get(key)
      if (isRenamed || group === changed) rename(group)
      if (isRenamed || group === changed) renew(group)
    }
  }

  /** What the server offered is known of its edition at once; what takes its place is unknown. */
  function supersede(edition: Edition): void {
    labels = labelAll()
    const { tenant_id, server_id } = edition
    const from = groups.get(toServerKey({ tenant_id, server_id: originOf(server_id) }))
    if (from === undefined || groups.has(toServerKey(edition))) return
    const group = groupOf(tenant_id, server_id)
    Object.assign(group, { link: from.link, listed: from.listed, past: from.past })
    for (const { tool, stored, hashes, seen } of from.tools.values()) {
      set(group, { ...tool, server_id }, { stored, hashes: new Map(hashes), seen })
    }
    from.link = notConnectedYet
    from.sightings += 1
    renew(group)
    renew(from)
  }

  function rename(group: Group): void {
    for (const known of group.tools.values()) {
      byName.remove(group.tenant_id, known.names.accepted, known)
      known.names = namesOf(group, known.tool.name, known.own)
      byName.add(group.tenant_id, known.names.accepted, known)
    }
  }

  function drop(group: Group): void {
    for (const known of [...group.tools.values()]) remove(known)
    groups.delete(toServerKey(group))
    ofTenant.get(group.tenant_id)?.delete(group)
    renew(group)
  }

  /** A tenant's own server hides one of the platform's with the same id. */
  function findVisible(tenant_id: string, server_id: string): Group | undefined {
    const own = groups.get(toServerKey({ tenant_id, server_id }))
    if (own || servers.get(tenant_id, server_id)) return own
    return groups.get(toServerKey({ tenant_id: platformTenant, server_id }))
  }

  const scopesOf = (tenant_id: string) =>
    tenant_id === platformTenant ? [platformTenant] : [tenant_id, platformTenant]

  return {
    groupOf,
    serverOf,
    set,
    remove,
    renew,
    renewServers,
    supersede,
    drop,
    scopesOf,
    get revision() {
      return revision
    },
    findGroup: (tenant_id: string, server_id: string) =>
      groups.get(toServerKey({ tenant_id, server_id })),
    groups: (tenant_id: string): Iterable<Group> => ofTenant.get(tenant_id) ?? [],
    allGroups: (): Iterable<Group> => groups.values(),

    findVisible,
    find: (tenant_id: string, { server_id, name }: ToolRef): Known | undefined =>
      findVisible(tenant_id, server_id)?.tools.get(name),

    named(tenant_id: string, name: string): CatalogueEntry[] {
      const entries: CatalogueEntry[] = []
      for (const scope of scopesOf(tenant_id)) {
        for (const known of byName.find(scope, name) ?? []) entries.push(known.entry)
      }
      return entries
    },

    /** Names that are or were in use and look like it, of servers that the same callers can see. */
    lookAlikes(server: RegisteredServer, name: string): string[] {
      const skeleton = toSkeleton(name)
      return scopesOf(server.tenant_id)
        .flatMap((scope) => [...(bySkeleton.find(scope, skeleton) ?? [])])
        .filter(({ tool, group }) => wasInUse(tool) && canBeSeenWith(serverOf(group), server))
        .map(({ tool }) => tool.name)
    },

    onChange(handler: (change: CatalogueChange) => void) {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
  }
}

function toEntry(known: Known, offer: CatalogueEntry['offer']): CatalogueEntry {
  const { entry, tool, own, names } = known
  const isSame =
    entry.tool === tool && isSameOffer(entry.offer, offer) && entry.sdk_name === names.sdk_name
  if (isSame) return entry
  const { sdk_name, wire_name } = names
  return { tool, ...(own && { own }), offer, sdk_name, wire_name }
}

/** Whether nobody who reads the entry would tell the difference: `seen_at` alone moves on. */
function looksSame(left: CatalogueEntry, right: CatalogueEntry): boolean {
  if (left === right) return true
  return (
    isSameOffer(left.offer, right.offer) &&
    left.sdk_name === right.sdk_name &&
    isSameStanding(standingOf(left.tool), standingOf(right.tool)) &&
    left.tool.position === right.tool.position &&
    left.tool.definition === right.tool.definition
  )
}

function wasInUse({ state, ...tool }: CatalogueTool): boolean {
  return state === 'active' || state === 'pending' || (state === 'gone' && isAccepted(tool))
}

/** Another user's tools must not show in what is said of this one. */
function canBeSeenWith(other: RegisteredServer | undefined, server: RegisteredServer): boolean {
  if (other && isOtherEdition(other, server)) return false
  const owner = other?.user_id ?? null
  return owner === null || owner === server.user_id
}

/** No session sees two editions of one server. */
function isOtherEdition(other: RegisteredServer, server: RegisteredServer): boolean {
  if (other.server_id === server.server_id) return false
  return originOf(other.server_id) === originOf(server.server_id)
}
