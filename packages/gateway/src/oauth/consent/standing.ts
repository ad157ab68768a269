import type { Principal } from '@dataagent/hub'
import type { PlainRequest } from '../../http/index.ts'
import type { GroupRow } from '../../ports.ts'
import type { Addresses } from '../addresses.ts'
import type { OAuthServerOptions } from '../options.ts'
import type { OpenTransaction, Transactions } from './transaction.ts'

/** Who sits before the page, and which groups they may choose from. */
export type Standing =
  | { kind: 'nobody' }
  | {
      kind: 'person'
      by: 'sign_in' | 'key'
      principal: Principal
      groups: readonly GroupRow[]
      /** Known by a key that has an allow-list of its own: for it there is no group. */
      isBound: boolean
    }
  | { kind: 'group'; by: 'key'; key_id: string; groups: readonly [GroupRow] }

export interface StandingOptions extends Pick<OAuthServerOptions, 'groups' | 'people'> {
  addresses: Addresses
  transactions: Transactions
}

/** A key that was entered goes before the browser's own sign-in. */
export function createStanding({ groups, people, addresses, transactions }: StandingOptions) {
  function ofPerson(principal: Principal, by: 'sign_in' | 'key', open: OpenTransaction): Standing {
    const only = open.asked.resource && addresses.groupOf(open.asked.resource)
    const offered = groups.offeredTo(principal)
    const fitting = offered.filter(({ group_id }) => only === undefined || group_id === only)
    const isBound = groups.isBoundKey(principal.tenant_id, principal.api_key)
    return { kind: 'person', by, principal, groups: fitting, isBound }
  }

  async function byKey(open: OpenTransaction): Promise<Standing | undefined> {
    const holder = await transactions.keyHolder(open.tx)
    if (holder === undefined) return undefined
    if (holder.kind === 'person') return ofPerson(holder.principal, 'key', open)
    const group = groups.get(holder.group_id)
    if (group === undefined || !groups.holds(holder.group_id, holder.key_id)) return undefined
    return { kind: 'group', by: 'key', key_id: holder.key_id, groups: [group] }
  }

  return async (request: PlainRequest, open: OpenTransaction): Promise<Standing> => {
    const holder = await byKey(open)
    if (holder !== undefined) return holder
    const principal = await people.bySignIn(request.headers)
    return principal === undefined ? { kind: 'nobody' } : ofPerson(principal, 'sign_in', open)
  }
}
