import type { SecretBinding, Vault } from '@dataagent/hub'
import { createSecret, type Secret } from '@dataagent/schema'
import type { ProviderRow } from '../ports/index.ts'

type Ref = Pick<ProviderRow, 'tenant_id' | 'provider_id'>

/** A provider's key as its row keeps it. */
export function sealProviderKey(vault: Vault, ref: Ref, key: Secret): Promise<string> {
  return vault.seal(key.reveal(), bindingOf(ref))
}

/** Undefined for a provider without one. Rejects with `secret_unreadable`. */
export async function openProviderKey(
  vault: Vault,
  row: Ref & Pick<ProviderRow, 'api_key'>,
): Promise<Secret | undefined> {
  if (row.api_key === null) return undefined
  return createSecret(await vault.open(row.api_key, bindingOf(row)))
}

function bindingOf({ tenant_id, provider_id }: Ref): SecretBinding {
  return { tenant: tenant_id, table: 'model_providers', row: provider_id, column: 'api_key' }
}
