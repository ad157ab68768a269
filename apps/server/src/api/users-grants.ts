import type { GrantsOfUser } from '@dataagent/gateway'
import type { Platform } from '../platform/index.ts'

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
