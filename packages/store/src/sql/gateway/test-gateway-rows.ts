import { randomUUID } from 'node:crypto'
import type { ClientRow, GrantRow, GroupRow } from '@dataagent/gateway'

/** Rows for tests: what a test does not name is filled in. */
export function aGroup(fields: Partial<GroupRow> = {}): GroupRow {
  return {
    ...{ group_id: randomUUID(), tenant_id: randomUUID(), name: '咨询', description: '' },
    ...{ enabled: 1, open_to_users: 0, shown_once: 0, api_key: 'v1.sealed' },
    ...{ hashed_api_key: randomUUID(), key_mac: 'mac', pepper_kid: 'k1' },
    ...{ key_created_at: 1, key_expires_at: null, key_revoked_at: null },
    ...{ previous_hashed_api_key: null, previous_key_mac: null, previous_pepper_kid: null },
    ...{ previous_expires_at: null, key_number: 1, pinned_names: '{}' },
    ...{ created_at: 1, created_by: 'root', updated_at: 1 },
    ...fields,
  }
}

export function aClient(fields: Partial<ClientRow> = {}): ClientRow {
  return {
    ...{ client_id: randomUUID(), client_name: 'Dify', redirect_uris: '["https://a.example/cb"]' },
    ...{ client_uri: null, logo_uri: null, token_endpoint_auth_method: 'none' },
    ...{ grant_types: '["authorization_code"]', scope: null, secret_hash: null },
    ...{ kind: 'dynamic', created_at: 1, last_used_at: null },
    ...fields,
  }
}

export function aGrant(fields: Partial<GrantRow> = {}): GrantRow {
  return {
    ...{ grant_id: randomUUID(), tenant_id: randomUUID(), group_id: 'g', group_made_at: 1 },
    ...{ user_id: 'ana', key_id: null, user_key_id: null },
    ...{ client_id: randomUUID(), client_name: 'Dify' },
    ...{ resource: 'https://tools.example/mcp', scope: 'mcp:read mcp:call', profile: 'standard' },
    ...{ refresh_hash: 'h1', previous_hash: null, rotated_at: null },
    ...{ created_at: 1, last_used_at: 1, expires_at: 1_000, revoked_at: null },
    ...fields,
  }
}
