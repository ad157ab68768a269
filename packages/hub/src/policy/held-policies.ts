import type { PolicyRows, StoredPolicy } from './contract.ts'
import {
  createTenantPolicy,
  setLimit,
  setList,
  setRule,
  type TenantPolicy,
  touch,
} from './tenant-policy.ts'

/** The policies of all tenants in memory, by tenant. */
export function createHeldPolicies(rows: Pick<PolicyRows, 'load'>) {
  let tenants = new Map<string, TenantPolicy>()
  const none = Object.freeze(createTenantPolicy())
  let revision = 0

  return {
    get revision() {
      return revision
    },
    /** Of a tenant without any policy: an empty one that is never changed. */
    of: (tenant_id: string): TenantPolicy => tenants.get(tenant_id) ?? none,
    /** As `of`, to be changed. */
    toChange(tenant_id: string): TenantPolicy {
      const policy = tenants.get(tenant_id) ?? createTenantPolicy()
      tenants.set(tenant_id, policy)
      return policy
    },
    raise(to: number) {
      revision = Math.max(revision, to)
    },
    /** Reads one tenant again, or all; gives those that were read. */
    async load(tenant_id?: string): Promise<string[]> {
      const loaded = toPolicies(await rows.load(tenant_id))
      const before = tenants
      if (tenant_id === undefined) tenants = loaded
      else if (loaded.has(tenant_id)) tenants.set(tenant_id, loaded.get(tenant_id)!)
      else tenants.delete(tenant_id)
      for (const policy of loaded.values()) revision = Math.max(revision, policy.revision)
      return tenant_id === undefined
        ? [...new Set([...before.keys(), ...loaded.keys()])]
        : [tenant_id]
    },
  }
}

function toPolicies({ revisions, allowLists, rules, limits }: StoredPolicy) {
  const policies = new Map<string, TenantPolicy>()
  const of = (tenant_id: string) => {
    const policy = policies.get(tenant_id) ?? createTenantPolicy()
    policies.set(tenant_id, policy)
    return policy
  }
  for (const { tenant_id, revision } of revisions) touch(of(tenant_id), revision)
  for (const list of allowLists) setList(of(list.tenant_id), list)
  for (const rule of rules) setRule(of(rule.tenant_id), rule)
  for (const limit of limits) setLimit(of(limit.tenant_id), limit)
  return policies
}
