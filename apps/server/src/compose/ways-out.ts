import { createEgress, type Egress, type EgressPolicy } from '@dataagent/guard'
import { platformTenant } from '@dataagent/hub'
import type { Config } from '../config/index.ts'

/** What may be reached from here, by who asks for it. */
export interface WaysOut {
  /** For what whoever runs the server has set. */
  any: Egress
  /** For what users and agents ask for. */
  public: Egress
  /** For what an administrator of the tenant has set; of `*`, one of the platform. */
  policyOf(tenant_id: string): EgressPolicy
}

/**
 * An administrator's addresses may be anywhere, a user's must be public; and an administrator's too
 * where there are several tenants, whose network this is not.
 */
export function createWaysOut(
  { allowed_addresses, multi_tenant }: Pick<Config, 'allowed_addresses' | 'multi_tenant'>,
  cleanup: AsyncDisposableStack,
): WaysOut {
  const anywhere: EgressPolicy = { mode: 'any' }
  const outside: EgressPolicy = { mode: 'public', allowedAddresses: allowed_addresses }
  const open = (policy: EgressPolicy): Egress =>
    cleanup.use(createEgress({ policy, allowSetting: 'DATAAGENT_ALLOWED_ADDRESSES' }))
  return {
    any: open(anywhere),
    public: open(outside),
    policyOf: (tenant_id) => (multi_tenant && tenant_id !== platformTenant ? outside : anywhere),
  }
}
