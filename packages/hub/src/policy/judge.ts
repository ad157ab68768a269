import type { RunState } from '../call-context.ts'
import type { CatalogueEntry } from '../catalogue/index.ts'
import { originOf, platformTenant, type RegisteredServer } from '../servers/index.ts'
import type { Caller } from './callers.ts'
import type { Effect, JudgedContext, Reason, Rule, RuleState, Step, Verdict } from './contract.ts'
import { type DefaultEffect, defaultOf, hasOutsideEffects, settingOf } from './default-effect.ts'
import { featureOff } from './features.ts'
import { isOwnTool, isVisible } from './visible-servers.ts'

/** Takes down a step on the way to a verdict, for `explain`. */
export type Note = (what: Step, decided: boolean) => void

/** What holds for a caller and a tool in every session and run: all but the last step. */
export interface Judged {
  server: RegisteredServer | undefined
  revision: number
  /** Set where the caller may not have the tool at all. */
  refused?: Verdict
  /** Rules that speak of both, the one that decides first. */
  rules: readonly Rule[]
  /** Some of them hold in one session or for a time. */
  isTimed: boolean
  setting: Effect | undefined
  byDefault: DefaultEffect
  hasOutsideEffects: boolean
  /** What the rules come to, where none is timed. */
  settled?: Settled
}

/** A verdict by which the call may be made, at once or when a person agrees. */
type Permission = Exclude<Verdict, { status: 'deny' }>

export interface Settled {
  verdict: Verdict
  /** Servers after whose output the allow holds too. */
  trusts: readonly string[]
}

/** The server of the tool as the caller sees it; a tool of our own has none. */
export function serverOf({ servers }: Caller, entry: CatalogueEntry): RegisteredServer | undefined {
  return isOwnTool(entry) ? undefined : servers.byId.get(entry.tool.server_id)
}

/** Visible, switched on, bound: then the rules, settings and defaults that speak of the tool. */
export function judge(caller: Caller, entry: CatalogueEntry, note?: Note): Judged {
  const server = serverOf(caller, entry)
  const revision = Math.max(caller.tenant.revision, caller.platform.revision)
  const reason = refuse(caller, entry, { server, note })
  const rules = reason === undefined ? findRules(caller, entry) : []
  const judged: Judged = {
    server,
    revision,
    rules,
    isTimed: rules.some((rule) => rule.session_id !== null || rule.expires_at !== null),
    setting: settingOf(server, entry.tool.name),
    byDefault: defaultOf(entry, server),
    hasOutsideEffects: hasOutsideEffects(entry, server),
  }
  if (reason !== undefined) judged.refused = { status: 'deny', revision, by: reason }
  else if (!judged.isTimed) judged.settled = settle(judged, rules)
  return judged
}

function refuse(
  caller: Caller,
  entry: CatalogueEntry,
  { server, note }: { server: RegisteredServer | undefined; note?: Note | undefined },
): Reason | undefined {
  const { name } = entry.tool
  const server_id = originOf(entry.tool.server_id)
  const isSeen = isOwnTool(entry) || isVisible(entry, server, caller.principal)
  note?.({ kind: 'server', visible: isSeen }, !isSeen)
  if (!isSeen) return { kind: 'not_visible' }
  const feature = featureOff(caller.features, { server, tool: name })
  if (feature !== undefined) {
    note?.({ kind: 'feature_off', feature }, true)
    return { kind: 'feature_off', feature }
  }
  note?.({ kind: 'features_on' }, false)
  if (entry.isBrought) {
    note?.({ kind: 'brought' }, false)
    return undefined
  }
  for (const { subject, of, bound } of caller.held) {
    const holds = bound.allows(server_id, name)
    note?.({ kind: 'list', subject, of: of === 'installation' ? null : of, holds }, !holds)
    if (!holds) return { kind: 'not_bound', subject }
  }
}

const tierRank = { platform: 0, tenant: 1, user: 2 }
const effectRank = { deny: 0, ask: 1, allow: 2 }

/** Denies first, then by tier, and within one ask before allow. */
function findRules(caller: Caller, entry: CatalogueEntry): Rule[] {
  const { tool } = entry
  const { tenant, platform, tenantKeys, platformKeys } = caller
  const rules: Rule[] = []
  const platformServer = tool.tenant_id === platformTenant ? tool.server_id : undefined
  platform.rules.find(platformKeys, platformServer, tool.name, rules)
  tenant.rules.find(tenantKeys, originOf(tool.server_id), tool.name, rules)
  const holding = isOwnTool(entry) ? rules : rules.filter((rule) => !isOlder(rule, tool))
  if (holding.length < 2) return holding
  return holding.sort(
    (a, b) =>
      Number(b.effect === 'deny') - Number(a.effect === 'deny') ||
      tierRank[a.tier] - tierRank[b.tier] ||
      effectRank[a.effect] - effectRank[b.effect] ||
      (a.rule_id < b.rule_id ? -1 : 1),
  )
}

/** What a person allows in a session is what the server had then, not what it adds. */
function isOlder(rule: Rule, { created_at }: CatalogueEntry['tool']): boolean {
  return rule.session_id !== null && rule.effect === 'allow' && rule.created_at < created_at
}

/** The verdict for one session and run. `now` is wall time. */
export function conclude(
  judged: Judged,
  { session_id, run }: Pick<JudgedContext, 'session_id' | 'run'>,
  { now, note }: { now: () => number; note?: Note | undefined },
): Verdict {
  if (judged.refused !== undefined) return judged.refused
  if (isWithout(run, judged.server)) {
    note?.({ kind: 'switched_off' }, true)
    return { status: 'deny', revision: judged.revision, by: switchedOff }
  }
  const isFresh = judged.settled === undefined || note !== undefined
  const rules = isFresh ? holding(judged, session_id, { now: now(), note }) : judged.rules
  const settled = isFresh ? settle(judged, rules, note) : judged.settled!
  const { verdict } = settled
  if (verdict.status === 'deny' || !run || run.untrusted.size === 0) return verdict
  const read = { settled, run, note }
  if (verdict.status === 'allow' || verdict.once_per_session) {
    return afterReading(judged, verdict, read)
  }
  if (verdict.unless_asked === undefined) return verdict
  return { ...verdict, unless_asked: afterReading(judged, verdict.unless_asked, read) }
}

const switchedOff: Reason = Object.freeze({ kind: 'switched_off' })

function isWithout(run: RunState | undefined, server: RegisteredServer | undefined): boolean {
  return server !== undefined && run?.without?.has(originOf(server.server_id)) === true
}

/** The verdict once a run has read what nobody vouches for. */
function afterReading(
  judged: Judged,
  verdict: Permission,
  { settled, run, note }: { settled: Settled; run: RunState; note?: Note | undefined },
): Permission {
  const read = [...run.untrusted]
  const kind = 'untrusted_output'
  if (!judged.hasOutsideEffects) {
    note?.({ kind, read, doubtful: [], outside: false }, false)
    return verdict
  }
  const vouched = new Set([...settled.trusts, ...ownIfAsked(judged, verdict)])
  const doubtful = vouched.has('*') ? [] : [...run.untrusted.difference(vouched)]
  note?.({ kind, read, doubtful, outside: true }, doubtful.length > 0)
  return doubtful.length > 0 ? asksAfterUntrusted(judged.revision) : verdict
}

/** A tool that is asked for once per session is so after its own server's output too. */
function ownIfAsked({ server }: Judged, verdict: Verdict): string[] {
  return verdict.status === 'ask' && server ? [originOf(server.server_id)] : []
}

function asksAfterUntrusted(revision: number): Permission {
  const by: Reason = { kind: 'default', why: 'after_untrusted_output' }
  return { status: 'ask', revision, by, once_per_session: false }
}

function holding(
  { rules }: Judged,
  session_id: string | undefined,
  { now, note }: { now: number; note?: Note | undefined },
): Rule[] {
  return rules.filter((rule) => {
    const isOver = rule.expires_at !== null && rule.expires_at <= now
    const isElsewhere = rule.session_id !== null && rule.session_id !== session_id
    if (isOver) note?.(toRuleStep(rule, 'expired'), false)
    else if (isElsewhere) note?.(toRuleStep(rule, 'other_session'), false)
    return !isOver && !isElsewhere
  })
}

/** What rules, settings and defaults come to, leaving aside what a run has read. */
function settle(judged: Judged, rules: readonly Rule[], note?: Note): Settled {
  const { server, setting, revision, byDefault } = judged
  const [rule, ...others] = rules
  // What an administrator has set for a shared server is not the user's to loosen.
  const isOverruled =
    rule?.tier === 'user' &&
    rule.effect === 'allow' &&
    server?.user_id === null &&
    (setting === 'ask' || setting === 'deny')
  if (rule !== undefined) note?.(toRuleStep(rule, 'fits'), !isOverruled)
  for (const other of others) note?.(toRuleStep(other, 'fits_too'), false)
  if (rule !== undefined && !isOverruled) {
    const { rule_id, tier, effect } = rule
    const trusts = rules.filter((each) => each.effect === 'allow' && each.tier === tier)
    const by: Reason = { kind: 'rule', rule_id, tier, effect }
    const union = effect === 'allow' ? trusts.flatMap((each) => [...each.trusts]) : []
    return { verdict: toVerdict(effect, revision, by), trusts: union }
  }
  if (setting !== undefined) {
    const by = { kind: 'server_setting', effect: setting } as const
    note?.(by, true)
    return { verdict: toVerdict(setting, revision, by), trusts: [] }
  }
  const by = { kind: 'default', why: byDefault.why } as const
  note?.(by, true)
  const verdict = toVerdict(byDefault.effect, revision, by, byDefault.once_per_session)
  const isByArguments = verdict.status === 'ask' && byDefault.why === 'own_tool_by_arguments'
  if (!isByArguments) return { verdict, trusts: [] }
  return { verdict: { ...verdict, unless_asked: { status: 'allow', revision, by } }, trusts: [] }
}

function toRuleStep(rule: Rule, state: RuleState): Step {
  const { rule_id, tier, effect, subject, server_id, tool } = rule
  return { kind: 'rule', state, rule_id, tier, effect, subject, server_id, tool }
}

function toVerdict(
  effect: Effect,
  revision: number,
  by: Reason,
  once_per_session = false,
): Verdict {
  if (effect === 'ask') return { status: 'ask', revision, by, once_per_session }
  return { status: effect, revision, by }
}
