import type { Clock } from '@dataagent/guard'
import { isAdministrator } from '@dataagent/hub'
import type { GrantRow } from '../ports.ts'
import type { TokenSession } from './contract.ts'
import type { TokenSettings, TokensOptions } from './options.ts'

export interface GrantTermsOptions extends Pick<TokensOptions, 'groups' | 'stillMay'> {
  clock: Clock
  settings: TokenSettings
}

/** What holds for each session that a grant gives from now on. */
export type SessionTerms = Pick<TokenSession, 'by_administrator'> & {
  /** When it ends at the latest. */
  until: number
}

const dayMs = 24 * 60 * 60_000

/** How long a grant holds. */
export function createGrantTerms({ groups, stillMay, clock, settings }: GrantTermsOptions) {
  const idleMs = (settings.grant_days ?? 90) * dayMs
  const mostMs = (settings.grant_max_days ?? 365) * dayMs

  return {
    endOf: ({ created_at }: Pick<GrantRow, 'created_at'>): number =>
      Math.min(clock.now() + idleMs, created_at + mostMs),
    /**
     * Undefined where whoever allowed it may do so no longer. What a group's key gave ends with
     * that key: `holds` says so.
     */
    async termsOf(grant: GrantRow): Promise<SessionTerms | undefined> {
      const { tenant_id, group_id, user_id, user_key_id } = grant
      if (user_id === null) return { by_administrator: false, until: Infinity }
      const known = await stillMay({ tenant_id, user_id, user_key_id })
      if (known === undefined) return undefined
      const { principal, expires_at } = known
      const offered = groups.offeredTo(principal)
      if (!offered.some((group) => group.group_id === group_id)) return undefined
      return { by_administrator: isAdministrator(principal), until: expires_at ?? Infinity }
    },
  }
}
