import type { Clock } from '@dataagent/guard'
import { ownServerId } from '../define-tool/index.ts'
import { createPause } from '../pause.ts'
import { platformTenant } from '../servers/index.ts'
import type { ToolHashRow, ToolRow, ToolRows } from './contract.ts'
import { isSameStanding } from './decide.ts'
import { toServerKey } from './labels.ts'
import { fromRow, standingOf, withStanding } from './row.ts'
import type { Group, Known, ToolMemory } from './tool-memory.ts'

/** Brings memory to what the store holds. */
export function createLoader({
  rows,
  memory,
  clock,
}: {
  rows: Pick<ToolRows, 'list' | 'listHashes'>
  memory: ToolMemory
  clock: Clock
}) {
  async function read(tenant_id?: string, server_id?: string) {
    const [tools, hashes] = await Promise.all([
      rows.list(tenant_id, server_id),
      rows.listHashes(tenant_id, server_id),
    ])
    return { tools: groupByServer(tools), hashes: groupByServer(hashes) }
  }

  return {
    async load(tenant_id?: string): Promise<void> {
      const { tools, hashes } = await read(tenant_id)
      for (const [, [first]] of tools) memory.groupOf(first!.tenant_id, first!.server_id)
      const pause = createPause(clock)
      const groups = tenant_id === undefined ? memory.allGroups() : memory.groups(tenant_id)
      for (const group of [...groups]) {
        if (isOwnGroup(group)) continue
        const key = toServerKey(group)
        takeOver(memory, group, tools.get(key) ?? [], hashes.get(key) ?? [])
        if (pause.isDue()) await pause.rest()
      }
    },

    async loadGroup(group: Group): Promise<void> {
      const { tools, hashes } = await read(group.tenant_id, group.server_id)
      const key = toServerKey(group)
      takeOver(memory, group, tools.get(key) ?? [], hashes.get(key) ?? [])
    },

    /** The numbers alone: the store keeps so many versions of a tool. */
    async loadHashes({ tenant_id, server_id, tools }: Group): Promise<void> {
      const hashes = groupByName(await rows.listHashes(tenant_id, server_id))
      for (const known of tools.values()) known.hashes = hashes.get(known.tool.name) ?? new Map()
    },
  }
}

function isOwnGroup({ tenant_id, server_id }: Group): boolean {
  return tenant_id === platformTenant && server_id === ownServerId
}

function groupByServer<Row extends { tenant_id: string; server_id: string }>(
  rows: readonly Row[],
): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = toServerKey(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

function groupByName(rows: readonly ToolHashRow[]): Map<string, Map<string, number>> {
  const hashes = new Map<string, Map<string, number>>()
  for (const { name, hash, version } of rows) {
    hashes.set(name, (hashes.get(name) ?? new Map()).set(hash, version))
  }
  return hashes
}

function takeOver(
  memory: ToolMemory,
  group: Group,
  rows: readonly ToolRow[],
  hashRows: readonly ToolHashRow[],
): void {
  const hashes = groupByName(hashRows)
  const names = new Set<string>()
  for (const row of rows) {
    names.add(row.name)
    const stored = { ...toStanding(row), seen_at: row.seen_at }
    const tool = toTool(row, group.tools.get(row.name))
    memory.set(group, tool, { stored, hashes: hashes.get(row.name) ?? new Map() })
  }
  for (const known of [...group.tools.values()]) {
    if (!names.has(known.tool.name)) memory.remove(known)
  }
  group.past = new Map([...hashes].filter(([name]) => !names.has(name)))
  memory.renew(group)
}

/** The stored tool, or the one in memory where that is the same or has been withdrawn since. */
function toTool(row: ToolRow, known: Known | undefined) {
  if (known && isSameStanding(standingOf(known.tool), toStanding(row))) return known.tool
  const tool = fromRow(row)
  if (known?.withdrawn === undefined || tool.state !== 'active') return tool
  return withStanding(tool, { ...standingOf(known.tool), version: row.version, hash: row.hash })
}

function toStanding({ state, version, hash, pending_version }: ToolRow) {
  return { state, version, hash, pending_version }
}
