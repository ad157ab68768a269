import type { Rule } from '@dataagent/schema'

type Judged = Pick<
  Rule,
  'rule_id' | 'tier' | 'effect' | 'subject' | 'server_id' | 'tool' | 'session_id' | 'expires_at'
>

const tiers = { platform: 0, tenant: 1, user: 2 }
const effects = { deny: 0, ask: 1, allow: 2 }

/** A rule that always decides before this one, so that this one never does. */
export function overruledBy<R extends Judged>(rule: R, rules: readonly R[]): R | undefined {
  return rules.find(
    (other) => other.rule_id !== rule.rule_id && covers(other, rule) && standsBefore(other, rule),
  )
}

/** Whether it speaks of all that the other speaks of, for as long. */
function covers(wide: Judged, narrow: Judged): boolean {
  return (
    coversSubject(wide.subject, narrow.subject) &&
    (wide.server_id === '*' || wide.server_id === narrow.server_id) &&
    (/^\*+$/.test(wide.tool) || wide.tool === narrow.tool) &&
    (wide.session_id === null || wide.session_id === narrow.session_id) &&
    (wide.expires_at === null ||
      (narrow.expires_at !== null && wide.expires_at >= narrow.expires_at))
  )
}

/** Each caller is of a tenant: `*` of tenants is everyone. Others are known by kind and id. */
function coversSubject(wide: Rule['subject'], narrow: Rule['subject']): boolean {
  if (wide.kind === 'tenant') return true
  return wide.kind === narrow.kind && (wide.id === '*' || wide.id === narrow.id)
}

/** Denies first, then by tier, and within one ask before allow. */
function standsBefore(one: Judged, other: Judged): boolean {
  if (other.effect === 'deny') return false
  if (one.effect === 'deny') return true
  if (one.tier !== other.tier) return tiers[one.tier] < tiers[other.tier]
  return effects[one.effect] < effects[other.effect]
}
