import type { Tenant } from '@dataagent/schema'
import type { Noted, Page } from './page.ts'

/** Every change takes the next revision of the topic `tenants` in the same transaction. */
export interface Tenants {
  /** Throws `conflict` where the id is taken. */
  create(tenant: Tenant, options?: Noted): Promise<void>
  get(tenant_id: string): Promise<Tenant | undefined>
  /** Throws `not_found`. */
  update(
    tenant_id: string,
    change: Partial<Omit<Tenant, 'tenant_id' | 'created_at'>>,
    options?: Noted,
  ): Promise<Tenant>
  /** By tenant_id. */
  list(page: Page): Promise<Tenant[]>
  count(): Promise<number>
}
