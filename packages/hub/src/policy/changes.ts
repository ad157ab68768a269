import { randomUUID } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { Note } from '../changes/index.ts'
import {
  isActive,
  isAdministrator,
  isPlatformAdministrator,
  isSomeone,
  type Principal,
  type Subject,
} from '../principal.ts'
import { platformTenant } from '../servers/index.ts'
import {
  assertAdministrator,
  checkAllowList,
  checkClearing,
  checkLimit,
  checkRule,
} from './check-change.ts'
import type { AllowList, Limit, NewRule, Policy, PolicyRows, Rule } from './contract.ts'
import type { createHeldPolicies } from './held-policies.ts'
import { createPolicyNotes } from './policy-notes.ts'
import type { PolicyQuotas } from './quotas.ts'
import { toSubjectKey } from './subject-index.ts'
import {
  dropLimit,
  dropList,
  dropRule,
  setLimit,
  setList,
  setRule,
  type TenantPolicy,
} from './tenant-policy.ts'

export interface ChangesOptions {
  rows: PolicyRows
  quotas: PolicyQuotas
  note: Note
  policies: ReturnType<typeof createHeldPolicies>
  clock: Clock
  /** Runs what changes memory one after the other, then tells of the tenant's change. */
  change<T>(tenant_id: string, work: () => Promise<T>): Promise<T>
}

type Changes = Pick<
  Policy,
  | 'allowLists'
  | 'setAllowList'
  | 'clearAllowList'
  | 'addRule'
  | 'removeRule'
  | 'rules'
  | 'addLimit'
  | 'removeLimit'
  | 'limits'
>

/** Stores a change, and has it in memory when it resolves. */
export function createChanges(options: ChangesOptions): Changes {
  const { rows, quotas, policies, clock, change, note } = options
  const notes = createPolicyNotes(note)
  const entriesOf = (tenant_id: string, subject: Subject) =>
    policies.of(tenant_id).lists.get(toSubjectKey(subject))?.list.entries

  const apply = (tenant_id: string, revision: number, to: (policy: TenantPolicy) => void) => {
    to(policies.toChange(tenant_id))
    policies.raise(revision)
  }

  async function remove(
    tenant_id: string,
    stored: () => Promise<number | undefined>,
    drop: (policy: TenantPolicy, revision: number) => void,
  ): Promise<void> {
    await change(tenant_id, async () => {
      const revision = (await stored()) ?? 0
      apply(tenant_id, revision, (policy) => drop(policy, revision))
    })
  }

  /** The store counts once more, for those who come at the same time. */
  async function makeRoom(by: Principal, { tier, subject }: NewRule): Promise<void> {
    if (tier !== 'user') return
    const all = [...policies.of(by.tenant_id).rules.values()].filter((rule) => rule.tier === tier)
    const own = rulesOfUser(policies.of(by.tenant_id), subject)
    if (own.length < quotas.rulesPerUser && all.length < quotas.userRules) return
    const spent = toSpent(own.length < quotas.rulesPerUser ? all : own, clock.now())
    for (const rule of spent) await removeStored(by, rule)
  }

  function assertEntries(tenant_id: string, subject: Subject, added: number): void {
    const { lists } = policies.of(tenant_id)
    let others = -(entriesOf(tenant_id, subject)?.length ?? 0)
    for (const { list } of lists.values()) others += list.entries.length
    if (others + added <= quotas.entries) return
    const message = `the allow-lists of a tenant hold at most ${quotas.entries} entries; use patterns`
    const data = { limit: 'entries', max: quotas.entries }
    throw new AppError('quota_exceeded', message, { data })
  }

  const removeStored = (by: Principal, rule: Rule) =>
    remove(
      rule.tenant_id,
      () => rows.deleteRule(rule.tenant_id, rule.rule_id, notes.removedRule(by, rule)),
      (policy, revision) => dropRule(policy, rule, revision),
    )

  return {
    allowLists(by) {
      assertAdministrator(by, 'what a subject is bound to')
      return [...policies.of(by.tenant_id).lists.values()].map(({ list }) => list)
    },

    async setAllowList(by, subject, entries) {
      checkAllowList(by, subject, entries)
      const { tenant_id, user_id: updated_by } = by
      const own = entries.map(({ server_id, tool }) => ({ server_id, tool }))
      const fields = { tenant_id, subject: toPlain(subject), entries: own, updated_by }
      return change(tenant_id, async () => {
        assertEntries(tenant_id, subject, own.length)
        const stored = { ...fields, updated_at: clock.now() }
        const before = entriesOf(tenant_id, subject)
        const noted = notes.list(by, subject, { before, after: own })
        const room = { perTenant: quotas.allowLists }
        const revision = await rows.putAllowList(stored, noted, room)
        const list: AllowList = { ...stored, revision }
        apply(tenant_id, list.revision, (policy) => setList(policy, list))
        return list
      })
    },

    async clearAllowList(by, subject) {
      checkClearing(by, subject)
      await remove(
        by.tenant_id,
        () => {
          const before = entriesOf(by.tenant_id, subject)
          const noted = notes.list(by, subject, { before, after: undefined })
          return rows.deleteAllowList(by.tenant_id, subject, noted)
        },
        (policy, revision) => dropList(policy, subject, revision),
      )
    },

    async addRule(by, rule) {
      checkRule(by, rule, clock.now())
      await makeRoom(by, rule)
      const stored = toStoredRule(by, rule, clock.now())
      return change(stored.tenant_id, async () => {
        const room =
          stored.tier === 'user'
            ? { perTenant: quotas.userRules, perSubject: quotas.rulesPerUser }
            : { perTenant: quotas.rules }
        const revision = await rows.putRule(stored, notes.addedRule(by, stored), room)
        const added: Rule = { ...stored, revision }
        apply(added.tenant_id, added.revision, (policy) => setRule(policy, added))
        return added
      })
    },

    async removeRule(by, rule_id) {
      const rule =
        policies.of(by.tenant_id).rules.get(rule_id) ??
        policies.of(platformTenant).rules.get(rule_id)
      if (!rule || !isRuleOf(by, rule)) throw notFound(`there is no rule ${rule_id}`)
      await removeStored(by, rule)
    },

    rules(by) {
      const own = policies.of(by.tenant_id)
      if (!isAdministrator(by)) {
        if (!isSomeone(by)) return []
        return rulesOfUser(own, { kind: 'user', id: by.user_id ?? '' })
      }
      const above = [...policies.of(platformTenant).rules.values()]
      return [...above.filter((rule) => speaksOf(by, rule)), ...own.rules.values()]
    },

    async addLimit(by, limit) {
      checkLimit(by, limit)
      const { tenant_id, user_id: created_by } = by
      const { server_id, tool, max_calls, window_ms } = limit
      const fields = { subject: toPlain(limit.subject), server_id, tool, max_calls, window_ms }
      return change(tenant_id, async () => {
        const made = { limit_id: randomUUID(), created_at: clock.now(), created_by }
        const stored = { tenant_id, ...fields, ...made }
        const room = { perTenant: quotas.limits }
        const revision = await rows.putLimit(stored, notes.addedLimit(by, stored), room)
        const added: Limit = { ...stored, revision }
        apply(tenant_id, added.revision, (policy) => setLimit(policy, added))
        return added
      })
    },

    async removeLimit(by, limit_id) {
      assertAdministrator(by, 'limits')
      const limit = policies.of(by.tenant_id).limits.get(limit_id)
      if (!limit) throw notFound(`there is no limit ${limit_id}`)
      await remove(
        by.tenant_id,
        () => rows.deleteLimit(by.tenant_id, limit_id, notes.removedLimit(by, limit)),
        (policy, revision) => dropLimit(policy, limit, revision),
      )
    },

    limits(by) {
      assertAdministrator(by, 'limits')
      return [...policies.of(by.tenant_id).limits.values()]
    },
  }
}

function toPlain({ kind, id }: Subject): Subject {
  return { kind, id }
}

function toStoredRule(by: Principal, rule: NewRule, now: number): Omit<Rule, 'revision'> {
  const { tier, subject, server_id, tool, effect } = rule
  return {
    tenant_id: tier === 'platform' ? platformTenant : by.tenant_id,
    rule_id: randomUUID(),
    ...{ tier, subject: toPlain(subject), server_id, tool, effect },
    trusts: [...(rule.trusts ?? [])],
    session_id: rule.session_id ?? null,
    expires_at: rule.expires_at ?? null,
    note: rule.note ?? '',
    created_at: now,
    created_by: by.user_id,
  }
}

function rulesOfUser({ rules }: TenantPolicy, subject: Subject): Rule[] {
  const key = toSubjectKey(subject)
  return [...rules.values()].filter(
    (rule) => rule.tier === 'user' && toSubjectKey(rule.subject) === key,
  )
}

/**
 * Rules that make room for another: those that have ended, else the oldest that allow something in
 * one session, where the worst is to be asked again. Few at a time: each is a transaction.
 */
function toSpent(rules: readonly Rule[], now: number): Rule[] {
  const ended = rules.filter(({ expires_at }) => expires_at !== null && expires_at <= now)
  const ofSessions = rules.filter((rule) => rule.session_id !== null && rule.effect === 'allow')
  ofSessions.sort((a, b) => a.created_at - b.created_at)
  return (ended.length > 0 ? ended : ofSessions).slice(0, 5)
}

/** Whether the rule is this one's to remove. */
function isRuleOf(by: Principal, { tenant_id, tier, created_by }: Rule): boolean {
  if (tenant_id === platformTenant) return isPlatformAdministrator(by)
  if (!isActive(by)) return false
  return (
    isAdministrator(by) || (tier === 'user' && by.user_id !== null && created_by === by.user_id)
  )
}

/** Other tenants' names are in the platform's rules: not for everyone's eyes. */
function speaksOf(by: Principal, { subject }: Rule): boolean {
  if (isPlatformAdministrator(by)) return true
  return subject.kind !== 'tenant' || subject.id === '*' || subject.id === by.tenant_id
}

function notFound(message: string): AppError {
  return new AppError('not_found', message)
}
