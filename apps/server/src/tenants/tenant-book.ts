import { createExclusive } from '@dataagent/guard'
import type { Tenant } from '@dataagent/schema'
import type { Tenants } from '../ports/index.ts'
import type { TenantBook } from './contract.ts'

export interface TenantBookOptions {
  tenants: Pick<Tenants, 'get' | 'list'>
}

const pageSize = 200
const none: readonly string[] = []

/** Empty until the first `reload`, which the hub calls when it starts: see `reloadTenants`. */
export function createTenantBook({ tenants }: TenantBookOptions): TenantBook {
  const exclusive = createExclusive()
  let held = new Map<string, Tenant>()

  async function reloadAll(): Promise<void> {
    const found = new Map<string, Tenant>()
    for await (const tenant of everyTenant(tenants)) found.set(tenant.tenant_id, tenant)
    held = found
  }

  async function reloadOne(tenant_id: string): Promise<void> {
    const found = await tenants.get(tenant_id)
    if (found) held.set(tenant_id, found)
    else held.delete(tenant_id)
  }

  return {
    get: (tenant_id) => held.get(tenant_id),
    featuresOf: (tenant_id) => held.get(tenant_id)?.features_enabled ?? none,
    // One after another: what was read later is never replaced by what was read before.
    reload: (tenant_id) =>
      exclusive('reload', () => (tenant_id === undefined ? reloadAll() : reloadOne(tenant_id))),
  }
}

async function* everyTenant({ list }: Pick<Tenants, 'list'>): AsyncGenerator<Tenant> {
  for (let offset = 0; ; offset += pageSize) {
    const page = await list({ limit: pageSize, offset })
    yield* page
    if (page.length < pageSize) return
  }
}
