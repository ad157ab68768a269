import type { ModelProviderSettings } from '@dataagent/schema'
import type { Noted, NotedWithin } from './page.ts'

/** A model provider that an administrator has added; the key is sealed. */
export interface ProviderRow extends ModelProviderSettings {
  /** `*` for one that every tenant may use. */
  tenant_id: string
  provider_id: string
  /** Sealed; null where it needs none. */
  api_key: string | null
  created_at: number
  updated_at: number
}

/** Every change takes the next revision of the topic `agents` in the same transaction. */
export interface Providers {
  /** All of a tenant, or of every tenant, by provider_id. */
  list(tenant_id?: string): Promise<ProviderRow[]>
  /** Throws `conflict` where the id is taken in this tenant, `quota_exceeded` over its `max`. */
  create(provider: ProviderRow, options?: NotedWithin): Promise<void>
  /** Throws `not_found`. `created_at` stays. */
  update(provider: ProviderRow, options?: Noted): Promise<ProviderRow>
  /** False where there was none. */
  delete(tenant_id: string, provider_id: string, options?: Noted): Promise<boolean>
}
