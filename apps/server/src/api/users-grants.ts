import type { GrantRow, GrantsOfUser } from '@dataagent/gateway'
import type { Principal } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'

/** Takes back what one client was allowed, and notes by whom; its sessions end within a second. */
export async function endGrant(
  { tables, clock, note, gateway }: Platform,
  by: Principal,
  { grant_id, tenant_id, group_id, client_name, user_id }: GrantRow,
): Promise<void> {
  const noted = note(by, {
    ...{ tenant_id, kind: 'tool_group', target: group_id, action: 'revoked' },
    before: { grant_id, client_name, user_id },
  })
  await tables.gateway.grants.revoke({ grant_id }, clock.now(), { note: noted })
  await gateway?.tokens.revokeGrants([grant_id])
}

const perTurn = 500

/** Takes back what a person allowed clients, or what they allowed by one of their keys. */
export async function endGrants(platform: Platform, of: GrantsOfUser): Promise<void> {
  const { tables, gateway, clock } = platform
  const { grants } = tables.gateway
  if (gateway === undefined) return void (await grants.revoke(of, clock.now()))
  // Expired ones too: the last session of one may be open.
  const find = () => grants.list({ ...of, limit: perTurn }, 0)
  for (let held = await find(); held.length > 0; held = await find()) {
    // Ends the sessions before the rows: who is cut off and tries again finds the rows still.
    await gateway.tokens.revokeGrants(held.map(({ grant_id }) => grant_id))
  }
}
