import { platformTenant, type Vault } from '@dataagent/hub'
import { isAppError, type ProviderInfo, type SecretView, toSecretView } from '@dataagent/schema'
import { openProviderKey } from '../agents/index.ts'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { ProviderRow } from '../ports/index.ts'

/** A provider as an answer shows it. Of the platform's keys a tenant sees that they are there. */
export async function toProviderInfo(
  vault: Vault,
  { tenant_id, ...row }: ProviderRow,
  principal: Principal,
): Promise<ProviderInfo> {
  const scope = tenant_id === platformTenant ? 'platform' : 'tenant'
  const isOwn = scope === 'tenant' || mayAccess(principal, 'platform_admin')
  const api_key = isOwn ? await viewKey(vault, { tenant_id, ...row }) : row.api_key && { set: true }
  return { ...row, scope, api_key: api_key as SecretView | null }
}

async function viewKey(vault: Vault, row: ProviderRow): Promise<SecretView | null> {
  try {
    const key = await openProviderKey(vault, row)
    return key === undefined ? null : toSecretView(key)
  } catch (error) {
    if (isAppError(error, 'secret_unreadable')) return { set: true }
    throw error
  }
}
