import type { Clock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import type { Groups } from '../groups/index.ts'
import type { Giver, GrantRows, GroupRow, KnownGiver, TokenCraft } from '../ports.ts'

export interface TokensOptions {
  kv: Pick<Kv, 'get' | 'set' | 'delete' | 'take' | 'setIfAbsent' | 'publish' | 'subscribe'>
  grants: Pick<GrantRows, 'create' | 'get' | 'rotate' | 'revoke'>
  groups: Pick<Groups, 'get' | 'holds' | 'offeredTo' | 'isBoundKey'>
  /** As `People` says it. */
  stillMay(who: Giver): Promise<KnownGiver | undefined>
  craft: TokenCraft
  /** 32 bytes of the installation, the same in all its processes, and not in its database. */
  key: Uint8Array
  clock?: Clock | undefined
  settings?: TokenSettings | undefined
  /** What the group's tools are called now, for people who look at a session. */
  toolNames(group: GroupRow): readonly string[]
  /** Told of what fails in the background. Must not throw. */
  onError?: ((error: unknown) => void) | undefined
}

export interface TokenSettings {
  /** Default 3600. */
  session_ttl_seconds?: number | undefined
  /** For how long a grant holds that is not used. Default 90. */
  grant_days?: number | undefined
  /** For how long a grant holds at most, however much it is used. Default 365. */
  grant_max_days?: number | undefined
}
