import type { Subject } from '../principal.ts'
import { type BoundList, createBoundList } from './bound-list.ts'
import type { AllowList, Limit, Rule } from './contract.ts'
import { createSubjectIndex, toSubjectKey } from './subject-index.ts'

export interface HeldList {
  list: AllowList
  bound: BoundList
}

/** What this process holds of one tenant's policy. `stamp` is another one after each change. */
export interface TenantPolicy {
  stamp: object
  revision: number
  lists: Map<string, HeldList>
  rules: Map<string, Rule>
  limits: Map<string, Limit>
  ruleIndex: ReturnType<typeof createSubjectIndex<Rule>>
  limitIndex: ReturnType<typeof createSubjectIndex<Limit>>
}

export function createTenantPolicy(): TenantPolicy {
  return {
    stamp: {},
    revision: 0,
    lists: new Map(),
    rules: new Map(),
    limits: new Map(),
    ruleIndex: createSubjectIndex<Rule>(),
    limitIndex: createSubjectIndex<Limit>(),
  }
}

export function setList(policy: TenantPolicy, list: AllowList): void {
  policy.lists.set(toSubjectKey(list.subject), { list, bound: createBoundList(list.entries) })
  touch(policy, list.revision)
}

export function dropList(policy: TenantPolicy, subject: Subject, revision: number): void {
  policy.lists.delete(toSubjectKey(subject))
  touch(policy, revision)
}

export function setRule(policy: TenantPolicy, rule: Rule): void {
  policy.rules.set(rule.rule_id, rule)
  policy.ruleIndex.add(rule)
  touch(policy, rule.revision)
}

/** A reload may have replaced the object since it was found: what is held goes. */
export function dropRule(policy: TenantPolicy, rule: Rule, revision: number): void {
  const held = policy.rules.get(rule.rule_id)
  policy.rules.delete(rule.rule_id)
  if (held) policy.ruleIndex.remove(held)
  touch(policy, revision)
}

export function setLimit(policy: TenantPolicy, limit: Limit): void {
  policy.limits.set(limit.limit_id, limit)
  policy.limitIndex.add(limit)
  touch(policy, limit.revision)
}

export function dropLimit(policy: TenantPolicy, limit: Limit, revision: number): void {
  const held = policy.limits.get(limit.limit_id)
  policy.limits.delete(limit.limit_id)
  if (held) policy.limitIndex.remove(held)
  touch(policy, revision)
}

export function touch(policy: TenantPolicy, revision: number): void {
  policy.stamp = {}
  policy.revision = Math.max(policy.revision, revision)
}
