import type { AllowList } from '@dataagent/hub'
import type { GroupRow } from '../ports.ts'
import type { ToolGroup } from './contract.ts'
import { toKeyId } from './key-state.ts'

/** A group as administrators see it. */
export function toView(row: GroupRow, list: AllowList | undefined): ToolGroup {
  const { group_id, tenant_id, name, description, created_at, created_by } = row
  return {
    ...{ group_id, tenant_id, name, description },
    enabled: row.enabled === 1,
    open_to_users: row.open_to_users === 1,
    shown_once: row.shown_once === 1,
    tools: list?.entries ?? [],
    key: toKey(row),
    ...{ created_at, created_by },
    updated_at: Math.max(row.updated_at, list?.updated_at ?? 0),
  }
}

/** What the record of changes holds of a group's columns: neither keys nor hashes. */
export function toNoted(fields: Partial<GroupRow>): Record<string, unknown> {
  const { name, description, enabled, open_to_users, shown_once, key_expires_at } = fields
  const { key_number, previous_expires_at } = fields
  const shown = { name, description, enabled, open_to_users, shown_once, key_expires_at }
  return { ...shown, key_number, previous_expires_at }
}

function toKey(row: GroupRow): ToolGroup['key'] {
  if (row.hashed_api_key === null && row.api_key === null) return undefined
  return {
    key_id: toKeyId(row),
    created_at: row.key_created_at ?? row.created_at,
    expires_at: row.key_expires_at,
    revoked_at: row.key_revoked_at,
    can_copy: row.api_key !== null,
    previous_until: row.previous_expires_at,
  }
}
