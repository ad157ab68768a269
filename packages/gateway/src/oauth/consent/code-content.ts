import type { GroupRow } from '../../ports.ts'
import type { CodeContent } from '../../tokens/index.ts'
import type { Addresses } from '../addresses.ts'
import type { Standing } from './standing.ts'
import type { Transaction } from './transaction.ts'

/** What the code stands for: all that was asked, by whom it was allowed, and for which group. */
export function toCodeContent(
  asked: Transaction,
  standing: Exclude<Standing, { kind: 'nobody' }>,
  { group_id, tenant_id }: GroupRow,
  addresses: Addresses,
): CodeContent {
  const { client_id, client_name, redirect_uri, code_challenge, scopes } = asked
  return {
    client_id,
    client_name,
    redirect_uri,
    code_challenge,
    resource: asked.resource ?? addresses.groupResource(group_id),
    scopes,
    tenant_id,
    group_id,
    user_id: standing.kind === 'person' ? standing.principal.user_id : null,
    key_id: standing.kind === 'group' ? standing.key_id : null,
    user_key_id: (standing.kind === 'person' && standing.principal.api_key) || null,
  }
}
