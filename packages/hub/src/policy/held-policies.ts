import type { Clock } from '@dataagent/guard'
import { createPause, type Pause } from '../pause.ts'
import type { PolicyRows, PolicySince, StoredPolicy } from './contract.ts'
import { toSubjectKey } from './subject-index.ts'
import {
  createTenantPolicy,
  dropLimit,
  dropList,
  dropRule,
  setLimit,
  setList,
  setRule,
  type TenantPolicy,
  touch,
} from './tenant-policy.ts'

export interface HeldPoliciesOptions {
  rows: Pick<PolicyRows, 'load' | 'loadSince'>
  clock: Clock
}

/** The policies of all tenants in memory, by tenant. */
export function createHeldPolicies({ rows, clock }: HeldPoliciesOptions) {
  let tenants = new Map<string, TenantPolicy>()
  const none = Object.freeze(createTenantPolicy())
  let revision = 0

  async function loadAll(): Promise<string[]> {
    const loaded = await toPolicies(await rows.load(), createPause(clock))
    const changed = new Set([...tenants.keys(), ...loaded.keys()])
    tenants = loaded
    for (const policy of loaded.values()) revision = Math.max(revision, policy.revision)
    return [...changed]
  }

  async function loadWhole(tenant_id: string): Promise<string[]> {
    const loaded = await toPolicies(await rows.load(tenant_id), createPause(clock))
    const policy = loaded.get(tenant_id)
    if (policy) tenants.set(tenant_id, policy)
    else tenants.delete(tenant_id)
    revision = Math.max(revision, policy?.revision ?? 0)
    return [tenant_id]
  }

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
    /** Reads what is new of one tenant, or all; gives those of whom there was something. */
    async load(tenant_id?: string): Promise<string[]> {
      if (tenant_id === undefined) return loadAll()
      const policy = tenants.get(tenant_id)
      if (policy?.loadedAt === undefined) return loadWhole(tenant_id)
      const since = await rows.loadSince(tenant_id, policy.loadedAt)
      // The store has gone back in time.
      if (since.revision < policy.loadedAt) return loadWhole(tenant_id)
      revision = Math.max(revision, since.revision)
      return bring(policy, since) ? [tenant_id] : []
    },
  }
}

/** Brings a policy to what is stored; false where this process had made all of it itself. */
function bring(policy: TenantPolicy, since: PolicySince): boolean {
  const { stamp } = policy
  const kept = {
    lists: new Set(since.keys.allowLists.map(toSubjectKey)),
    rules: new Set(since.keys.rules),
    limits: new Set(since.keys.limits),
  }
  for (const [key, { list }] of policy.lists) {
    if (!kept.lists.has(key)) dropList(policy, list.subject, since.revision)
  }
  for (const rule of policy.rules.values()) {
    if (!kept.rules.has(rule.rule_id)) dropRule(policy, rule, since.revision)
  }
  for (const limit of policy.limits.values()) {
    if (!kept.limits.has(limit.limit_id)) dropLimit(policy, limit, since.revision)
  }
  for (const list of since.allowLists) {
    const held = policy.lists.get(toSubjectKey(list.subject))?.list
    if (held?.revision !== list.revision) setList(policy, list)
  }
  for (const rule of since.rules) {
    if (policy.rules.get(rule.rule_id)?.revision !== rule.revision) setRule(policy, rule)
  }
  for (const limit of since.limits) {
    if (policy.limits.get(limit.limit_id)?.revision !== limit.revision) setLimit(policy, limit)
  }
  policy.loadedAt = since.revision
  policy.revision = Math.max(policy.revision, since.revision)
  return policy.stamp !== stamp
}

async function toPolicies(stored: StoredPolicy, pause: Pause) {
  const policies = new Map<string, TenantPolicy>()
  const of = (tenant_id: string) => {
    const policy = policies.get(tenant_id) ?? createTenantPolicy()
    policies.set(tenant_id, policy)
    return policy
  }
  for (const { tenant_id, revision } of stored.revisions) {
    const policy = of(tenant_id)
    touch(policy, revision)
    policy.loadedAt = revision
  }
  for (const list of stored.allowLists) {
    setList(of(list.tenant_id), list)
    if (pause.isDue()) await pause.rest()
  }
  for (const rule of stored.rules) {
    setRule(of(rule.tenant_id), rule)
    if (pause.isDue()) await pause.rest()
  }
  for (const limit of stored.limits) setLimit(of(limit.tenant_id), limit)
  return policies
}
