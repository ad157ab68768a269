import type { Clock } from '@dataagent/guard'
import type { GrantRow } from '../ports.ts'
import type { TokenSettings, TokensOptions } from './options.ts'

export interface GrantTermsOptions extends Pick<TokensOptions, 'groups' | 'stillMay'> {
  clock: Clock
  settings: TokenSettings
}

const dayMs = 24 * 60 * 60_000

/** How long a grant holds. */
export function createGrantTerms({ groups, stillMay, clock, settings }: GrantTermsOptions) {
  const idleMs = (settings.grant_days ?? 90) * dayMs
  const mostMs = (settings.grant_max_days ?? 365) * dayMs

  return {
    endOf: ({ created_at }: Pick<GrantRow, 'created_at'>): number =>
      Math.min(clock.now() + idleMs, created_at + mostMs),
    /** What a group's key gave ends with that key: `holds` says so. */
    async isStillAllowed(grant: GrantRow): Promise<boolean> {
      const { tenant_id, group_id, user_id, user_key_id } = grant
      if (user_id === null) return true
      const person = await stillMay({ tenant_id, user_id, user_key_id })
      if (person === undefined) return false
      return groups.offeredTo(person).some((group) => group.group_id === group_id)
    },
  }
}
