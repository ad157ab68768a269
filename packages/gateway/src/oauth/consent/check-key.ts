import { prefixes } from '../../tokens/index.ts'
import type { Addresses } from '../addresses.ts'
import type { OAuthServerOptions } from '../options.ts'
import { type Throttle, waitAfter } from '../throttle.ts'
import type { KeyHolder, OpenTransaction } from './transaction.ts'

const longestKey = 512

export type KeyCheck =
  | { status: 'ok'; holder: KeyHolder }
  /** `other_group`: right, but not of the group whose endpoint was asked for. */
  | { status: 'missing' | 'wrong' | 'other_group' }
  | { status: 'limited'; retryAfterMs: number }

export interface CheckKeyOptions extends Pick<OAuthServerOptions, 'groups' | 'people'> {
  addresses: Addresses
  throttle: Throttle
}

/** What a key that was entered opens. Why a wrong one is wrong, nobody is told. */
export function createCheckKey({ groups, people, addresses, throttle }: CheckKeyOptions) {
  function ofGroup(key: string, { asked }: OpenTransaction): KeyCheck {
    const verdict = groups.findByKey(key)
    if (verdict.status !== 'ok') return { status: 'wrong' }
    const { group_id } = verdict.group
    const only = asked.resource && addresses.groupOf(asked.resource)
    if (only !== undefined && only !== group_id) return { status: 'other_group' }
    return { status: 'ok', holder: { kind: 'group', group_id, key_id: verdict.key_id } }
  }

  async function ofPerson(key: string, ip: string): Promise<KeyCheck> {
    const principal = await people.byKey(key, ip)
    if (principal === undefined) return { status: 'wrong' }
    return { status: 'ok', holder: { kind: 'person', principal } }
  }

  return async (entered: string, open: OpenTransaction, ip: string): Promise<KeyCheck> => {
    const key = entered.trim()
    if (key === '') return { status: 'missing' }
    const waitMs = await throttle.tryKey(open.tx, ip)
    if (waitMs !== undefined) return { status: 'limited', retryAfterMs: waitMs }
    if (key.length > longestKey || isToken(key)) return { status: 'wrong' }
    if (key.startsWith(prefixes.group_key)) return ofGroup(key, open)
    return ofPerson(key, ip).catch((error: unknown) => {
      return { status: 'limited', retryAfterMs: waitAfter(error) }
    })
  }
}

function isToken(key: string): boolean {
  return [prefixes.session, prefixes.refresh, prefixes.code].some((one) => key.startsWith(one))
}
