import { AppError } from '@dataagent/schema'
import {
  isAdministrator,
  isAuditor,
  isMachine,
  isPlatformAdministrator,
  isSomeone,
  type Principal,
  type Subject,
} from '../principal.ts'
import {
  checkCount,
  checkId,
  checkList,
  checkObject,
  checkScope,
  checkServerId,
  checkSubject,
  invalid,
} from './check-fields.ts'
import type { AllowEntry, NewLimit, NewRule } from './contract.ts'

const maxEntries = 10_000
const maxNote = 1_000
const maxTrusts = 100

export function assertAdministrator(by: Principal, what: string): void {
  if (isAdministrator(by)) return
  throw new AppError('forbidden', `only an administrator of the tenant sees and changes ${what}`)
}

export function checkAllowList(
  by: Principal,
  subject: Subject,
  entries: readonly AllowEntry[],
): void {
  assertAdministrator(by, 'what a subject is bound to')
  checkSubject(subject, by.tenant_id)
  checkList('entries', entries, 'entries')
  if (entries.length > maxEntries) {
    throw invalid(`a list holds at most ${maxEntries} entries; use patterns`)
  }
  for (const [at, entry] of entries.entries()) {
    checkObject(`entries[${at}]`, entry)
    checkScope(entry, `entries[${at}].`)
  }
}

export function checkClearing(by: Principal, subject: Subject): void {
  assertAdministrator(by, 'what a subject is bound to')
  checkSubject(subject)
}

/** Whether `by` may make the rule, and whether it can ever hold. */
export function checkRule(by: Principal, rule: NewRule, now: number): void {
  checkObject('rule', rule)
  checkTier(by, rule)
  checkScope(rule)
  const { effect, trusts = [], session_id = null, expires_at = null, note = '' } = rule
  if (!['allow', 'ask', 'deny'].includes(effect)) throw invalid('effect: allow, ask or deny')
  checkList('trusts', trusts, "servers' ids")
  if (trusts.length > 0 && effect !== 'allow') {
    throw invalid('only a rule that allows can trust the output of servers')
  }
  if (trusts.length > maxTrusts) {
    throw invalid(`a rule trusts at most ${maxTrusts} servers; use "*"`)
  }
  for (const [at, server_id] of trusts.entries()) checkServerId(`trusts[${at}]`, server_id)
  if (session_id !== null) checkId('session_id', session_id)
  if (expires_at !== null) checkCount('expires_at', expires_at, 0)
  if (expires_at !== null && expires_at <= now) {
    throw invalid('expires_at: it lies in the past, and the rule would never hold')
  }
  if (typeof note !== 'string' || note.length > maxNote) {
    throw invalid(`note: expected text of at most ${maxNote} characters`)
  }
}

export function checkLimit(by: Principal, limit: NewLimit): void {
  assertAdministrator(by, 'limits')
  checkObject('limit', limit)
  checkSubject(limit.subject, by.tenant_id)
  checkScope(limit)
  checkCount('max_calls', limit.max_calls, 0)
  checkCount('window_ms', limit.window_ms, 1)
}

function checkTier(by: Principal, { tier, subject }: NewRule): void {
  checkObject('subject', subject)
  if (isMachine(by)) throw new AppError('forbidden', 'agents and tool groups make no rules')
  if (isAuditor(by)) throw new AppError('forbidden', 'an auditor makes no rules')
  if (tier !== 'platform' && !isSomeone(by)) {
    throw new AppError('forbidden', 'the rule needs one tenant: name it in the caller')
  }
  if (tier === 'user') checkUserRule(by, subject)
  else if (tier === 'tenant') checkTenantRule(by, subject)
  else if (tier === 'platform') checkPlatformRule(by, subject)
  else throw invalid('tier: platform, tenant or user')
}

function checkPlatformRule(by: Principal, subject: Subject): void {
  if (!isPlatformAdministrator(by)) {
    throw new AppError('forbidden', 'only a platform administrator may change the rules of all')
  }
  checkSubject(subject)
  if (subject.kind !== 'tenant' && subject.id !== '*') {
    throw invalid('a rule of the platform speaks of a tenant, or of all of a kind ("*")')
  }
}

function checkTenantRule(by: Principal, subject: Subject): void {
  assertAdministrator(by, 'rules of the tenant')
  checkSubject(subject, by.tenant_id)
}

function checkUserRule(by: Principal, subject: Subject): void {
  if (subject.kind !== 'user' || subject.id === '*') {
    throw invalid('a rule of the tier "user" speaks of one user')
  }
  checkSubject(subject)
  if (subject.id === by.user_id || isAdministrator(by)) return
  throw new AppError('forbidden', 'a user may make rules for themself only')
}
