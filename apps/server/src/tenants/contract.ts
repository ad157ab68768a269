import type { Tenant } from '@dataagent/schema'

/**
 * The tenants as this process holds them: read at once, brought up to date within a second of a
 * change in any process.
 */
export interface TenantBook {
  get(tenant_id: string): Tenant | undefined
  /** `features_enabled`; nothing for a tenant that there is not. */
  featuresOf(tenant_id: string): readonly string[]
  /** Reads one again, or all. */
  reload(tenant_id?: string): Promise<void>
}
