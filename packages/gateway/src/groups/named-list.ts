import { createHash } from 'node:crypto'
import type { CatalogueEntry, ToolRef } from '@dataagent/hub'

/** Which tool each bare name stands for: `server_id/tool`. */
export type Pins = Readonly<Record<string, string>>

/** What the tools of one list are called. */
export interface NamedList {
  names: ReadonlyMap<CatalogueEntry, string>
  /** Bare names that are not pinned yet. */
  fresh: Record<string, string>
  /** By the name given, and by full names. */
  byName: ReadonlyMap<string, ToolRef>
}

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/
/** A server that makes up ever new names must not fill the row. */
const mostPins = 10_000

/** Who has a bare name keeps it; of several new ones the first of the list gets it. */
export function nameEntries(entries: readonly CatalogueEntry[], pins: Pins): NamedList {
  const names = new Map<CatalogueEntry, string>()
  const fresh: Record<string, string> = {}
  let room = mostPins - Object.keys(pins).length
  for (const entry of entries) {
    const { name } = entry.tool
    const owner = ownerOf(pins, name) ?? ownerOf(fresh, name)
    if (owner === undefined && namePattern.test(name) && room > 0) {
      fresh[name] = toToolKey(entry.tool)
      room -= 1
    }
  }
  const taken = (name: string) => ownerOf(pins, name) ?? ownerOf(fresh, name)
  for (const entry of entries) names.set(entry, toName(entry, taken))
  return { names, fresh, byName: toIndex(names) }
}

function toToolKey({ server_id, name }: ToolRef): string {
  return `${server_id}/${name}`
}

/** Server ids hold no slash. */
export function toToolRef(key: string): ToolRef {
  const at = key.indexOf('/')
  return { server_id: key.slice(0, at), name: key.slice(at + 1) }
}

export function ownerOf(pins: Pins, name: string): string | undefined {
  return Object.hasOwn(pins, name) ? pins[name] : undefined
}

function toName(
  { tool, wire_name }: CatalogueEntry,
  taken: (name: string) => string | undefined,
): string {
  const key = toToolKey(tool)
  if (taken(tool.name) === key) return tool.name
  const owner = taken(wire_name)
  if (owner === undefined || owner === key) return wire_name
  // Another tool is called by itself what this one is called in full.
  const mark = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return `${wire_name.slice(0, 55)}_${mark}`
}

/** Names that were given come before full names, which come in their order. */
function toIndex(names: ReadonlyMap<CatalogueEntry, string>): Map<string, ToolRef> {
  const byName = new Map<string, ToolRef>()
  const add = (name: string, { server_id, name: tool }: ToolRef) => {
    if (!byName.has(name)) byName.set(name, { server_id, name: tool })
  }
  for (const [{ tool }, name] of names) add(name, tool)
  for (const { tool, sdk_name } of names.keys()) add(sdk_name, tool)
  for (const { tool, wire_name } of names.keys()) add(wire_name, tool)
  return byName
}
