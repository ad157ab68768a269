import type { GroupRow } from '../ports.ts'

/** All groups in memory, found by id and by the hash of their keys. Rows are never changed. */
export interface HeldGroups {
  get(group_id: string): GroupRow | undefined
  byKeyHash(hashed_api_key: string): GroupRow | undefined
  ofTenant(tenant_id: string): GroupRow[]
  put(row: GroupRow): void
  drop(group_id: string): void
  /** `rows` are all that there are, or all of one tenant. */
  replace(rows: readonly GroupRow[], tenant_id: string | undefined): void
}

export function createHeldGroups(): HeldGroups {
  const groups = new Map<string, GroupRow>()
  const byHash = new Map<string, string>()

  function drop(group_id: string): void {
    const row = groups.get(group_id)
    if (row === undefined) return
    groups.delete(group_id)
    for (const hash of hashesOf(row)) byHash.delete(hash)
  }

  function put(row: GroupRow): void {
    drop(row.group_id)
    groups.set(row.group_id, row)
    for (const hash of hashesOf(row)) byHash.set(hash, row.group_id)
  }

  return {
    get: (group_id) => groups.get(group_id),
    byKeyHash(hash) {
      const group_id = byHash.get(hash)
      return group_id === undefined ? undefined : groups.get(group_id)
    },
    ofTenant: (tenant_id) => [...groups.values()].filter((row) => row.tenant_id === tenant_id),
    put,
    drop,
    replace(rows, tenant_id) {
      const kept = new Set(rows.map(({ group_id }) => group_id))
      for (const row of [...groups.values()]) {
        const isMeant = tenant_id === undefined || row.tenant_id === tenant_id
        if (isMeant && !kept.has(row.group_id)) drop(row.group_id)
      }
      for (const row of rows) put(row)
    },
  }
}

function hashesOf({ hashed_api_key, previous_hashed_api_key }: GroupRow): string[] {
  return [hashed_api_key, previous_hashed_api_key].filter((hash) => hash !== null)
}
