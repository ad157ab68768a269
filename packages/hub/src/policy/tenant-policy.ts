import type { Subject } from '../principal.ts'
import { type BoundList, createBoundList } from './bound-list.ts'
import type { AllowList, Limit, Rule } from './contract.ts'
import { createShelf, type Shelf } from './shelf.ts'
import { toSubjectKey } from './subject-index.ts'

export interface HeldList {
  list: AllowList
  bound: BoundList
}

/** What this process holds of one tenant's policy. `stamp` is another one after each change. */
export interface TenantPolicy {
  stamp: object
  revision: number
  /** All that was stored up to here is held; undefined where it was never loaded. */
  loadedAt: number | undefined
  lists: Map<string, HeldList>
  rules: Shelf<Rule>
  limits: Shelf<Limit>
}

export function createTenantPolicy(): TenantPolicy {
  return {
    stamp: {},
    revision: 0,
    loadedAt: undefined,
    lists: new Map(),
    rules: createShelf<Rule>(),
    limits: createShelf<Limit>(),
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
  policy.rules.put(rule.rule_id, rule)
  touch(policy, rule.revision)
}

export function dropRule(policy: TenantPolicy, { rule_id }: Rule, revision: number): void {
  policy.rules.take(rule_id)
  touch(policy, revision)
}

export function setLimit(policy: TenantPolicy, limit: Limit): void {
  policy.limits.put(limit.limit_id, limit)
  touch(policy, limit.revision)
}

export function dropLimit(policy: TenantPolicy, { limit_id }: Limit, revision: number): void {
  policy.limits.take(limit_id)
  touch(policy, revision)
}

export function touch(policy: TenantPolicy, revision: number): void {
  policy.stamp = {}
  policy.revision = Math.max(policy.revision, revision)
}
