import type { Clock } from '@dataagent/guard'
import type { Groups } from '../groups/index.ts'
import type { Caller } from '../protocol/index.ts'
import type { Tokens } from '../tokens/index.ts'
import type { Admit, Endpoint } from './contract.ts'

/**
 * Whether what opened a stream, or was shown on it since, would still open it. Never rejects: a
 * store that is away changes nothing.
 */
export type StillHolds = (...shown: Parameters<Admit>) => Promise<boolean>

export function createStillHolds(admit: Admit): StillHolds {
  return async (credential, endpoint) => {
    try {
      return (await admit(credential, endpoint)).status === 'ok'
    } catch {
      return true
    }
  }
}

/** What a caller showed last, and where. */
export interface Shown {
  caller: Caller
  credential: string | undefined
  endpoint: Endpoint
}

/**
 * Whether it was taken back. A token that has merely expired was not: the next message may show
 * the one that renews it. Never rejects.
 */
export type IsTakenBack = (shown: Shown) => Promise<boolean>

export interface TakenBackOptions {
  stillHolds: StillHolds
  tokens: Pick<Tokens, 'hasEnded'>
  groups: Pick<Groups, 'get' | 'holds'>
  clock: Pick<Clock, 'now'>
}

export function createIsTakenBack(options: TakenBackOptions): IsTakenBack {
  const { stillHolds, tokens, groups, clock } = options

  return async ({ caller, credential, endpoint }) => {
    if (await stillHolds(credential, endpoint)) return false
    const { group_id, group_made_at, key_id, owner_key, expires_at } = caller
    const isExpired = expires_at !== null && expires_at <= clock.now()
    const isSame = groups.get(group_id)?.created_at === group_made_at
    if (!isExpired || !isSame || !groups.holds(group_id, key_id)) return true
    return tokens.hasEnded(owner_key).catch(() => false)
  }
}
