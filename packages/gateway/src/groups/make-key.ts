import type { Vault } from '@dataagent/hub'
import type { GroupRow, TokenCraft } from '../ports.ts'
import { prefixes } from '../tokens/index.ts'
import { toKeyId, toKeyState } from './key-state.ts'

type KeyFields = Pick<
  GroupRow,
  'api_key' | 'hashed_api_key' | 'key_mac' | 'pepper_kid' | 'key_created_at' | 'key_expires_at'
>

export interface KeyMaker {
  /** A key with 256 random bits, and what is stored of it. */
  make(
    group: Pick<GroupRow, 'tenant_id' | 'group_id' | 'shown_once'>,
    times: { now: number; expires_at: number | null },
  ): Promise<{ key: string; fields: KeyFields }>
  /** The key that was sealed. Rejects with `secret_unreadable`. */
  open(row: Pick<GroupRow, 'tenant_id' | 'group_id'>, api_key: string): Promise<string>
}

export function createKeyMaker({ vault, craft }: { vault: Vault; craft: TokenCraft }): KeyMaker {
  return {
    async make(group, { now, expires_at }) {
      const key = prefixes.group_key + craft.createToken()
      const api_key = group.shown_once === 1 ? null : await vault.seal(key, toBinding(group))
      const fields = { api_key, ...craft.hash(key), key_created_at: now }
      return { key, fields: { ...fields, key_expires_at: expires_at } }
    },
    open: (row, api_key) => vault.open(api_key, toBinding(row)),
  }
}

/** What becomes of the key that another one takes the place of. */
export function toPrevious(
  row: GroupRow,
  { now, overlapMs }: { now: number; overlapMs: number },
): Partial<GroupRow> {
  if (overlapMs === 0 || toKeyState(row, toKeyId(row), now) !== 'ok') return noPrevious
  return {
    previous_hashed_api_key: row.hashed_api_key,
    previous_key_mac: row.key_mac,
    previous_pepper_kid: row.pepper_kid,
    previous_expires_at: Math.min(now + overlapMs, row.key_expires_at ?? Number.MAX_SAFE_INTEGER),
  }
}

export const noPrevious = {
  previous_hashed_api_key: null,
  previous_key_mac: null,
  previous_pepper_kid: null,
  previous_expires_at: null,
} satisfies Partial<GroupRow>

function toBinding({ tenant_id, group_id }: Pick<GroupRow, 'tenant_id' | 'group_id'>) {
  return { tenant: tenant_id, table: 'mcp_tool_groups', row: group_id, column: 'api_key' }
}
