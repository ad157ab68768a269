import type { Subject } from '../principal.ts'
import type { DefaultWhy, Reason, RuleState, Step } from './contract.ts'

const kinds: Record<Subject['kind'], string> = {
  agent: 'agent',
  api_key: 'API key',
  group: 'tool group',
  user: 'user',
  tenant: 'tenant',
}

/** What holds where nobody has said anything: why it is so for one call, and the rule. */
const defaults: Record<DefaultWhy, { reason: string; rule: string }> = {
  own_tool: {
    reason: 'a tool of this platform',
    rule: 'A tool of this platform that does not ask is allowed.',
  },
  own_tool_asks: {
    reason: 'it acts outside of your own space',
    rule: 'A tool of this platform that acts outside of the user’s own space asks.',
  },
  own_tool_by_arguments: {
    reason: 'with these arguments it acts outside of your own space',
    rule: 'A tool of this platform asks or not, depending on the arguments.',
  },
  administrators_server: {
    reason: 'a tool of a server that an administrator registered',
    rule: 'A tool of a server that an administrator registered is allowed.',
  },
  destructive_annotation: {
    reason: 'its server says that it is destructive',
    rule: 'The server says that the tool is destructive: it asks.',
  },
  users_server: {
    reason: 'its server was added by a user',
    rule: 'A tool of a server that a user added asks, once per session.',
  },
  after_untrusted_output: {
    reason: 'this run has read output that nobody vouches for',
    rule: 'Untrusted output was read in this run: it asks.',
  },
}

const atOnce = {
  unconfirmed: 'This process has lost touch with the store: everything is denied.',
  role: 'An auditor calls no tool.',
  nobody: 'The caller has an id that is nobody\'s (empty, or "*"): everything is denied.',
}

const ruleStates: Record<RuleState, string> = {
  fits: 'fits',
  fits_too: 'fits too',
  expired: 'has expired',
  other_session: 'holds in another session',
}

/** A step to a verdict, as a person reads it. */
export function toStepText(step: Step): string {
  switch (step.kind) {
    case 'refused_at_once':
      return atOnce[step.why]
    case 'server':
      return `The caller ${step.visible ? 'can' : 'cannot'} see the server.`
    case 'features_on':
      return 'The features of the tenant that the tool needs are on.'
    case 'feature_off':
      return `The feature "${step.feature}" of the tenant is off.`
    case 'brought':
      return 'The caller brings the tool along.'
    case 'switched_off':
      return 'The run does without the server.'
    case 'list':
      return toListText(step)
    case 'rule':
      return `${toRuleText(step)} ${ruleStates[step.state]}.`
    case 'server_setting':
      return `The settings of the server say ${step.effect}.`
    case 'default':
      return `By default: ${defaults[step.why].rule}`
    case 'untrusted_output':
      return toUntrustedText(step)
    case 'arguments':
      return step.asks
        ? 'With these arguments the tool asks.'
        : 'With these arguments the tool need not ask.'
  }
}

type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>

function toListText({ subject, of, holds }: StepOf<'list'>): string {
  const whose = of === null ? 'the default list of the installation' : `the list of ${toName(of)}`
  return `For ${toName(subject)}, ${whose} ${holds ? 'holds' : 'does not hold'} the tool.`
}

function toRuleText({ rule_id, tier, effect, subject, server_id, tool }: StepOf<'rule'>): string {
  const tools = `${tool} of ${server_id === '*' ? 'every server' : server_id}`
  return `Rule ${rule_id} (tier ${tier}): ${effect} ${tools} for ${toName(subject)}`
}

function toUntrustedText({ read, doubtful, outside }: StepOf<'untrusted_output'>): string {
  if (!outside) return 'Untrusted output was read, but the tool has no effects outside.'
  const output = `Output of ${read.join(', ')} was read in this run`
  if (doubtful.length === 0) return `${output}, and the rule trusts it.`
  return `${output}, and no rule trusts ${doubtful.join(', ')} before this tool: it asks.`
}

/** Why a call was allowed, asked for or denied, in a few words for a person. */
export function toReasonText(reason: Reason): string {
  switch (reason.kind) {
    case 'rule':
      return `a rule of the ${reason.tier} says so (${reason.rule_id})`
    case 'server_setting':
      return 'the settings of its server say so'
    case 'feature_off':
      return `the feature ${reason.feature} is off`
    case 'not_bound':
      return `the ${reason.subject.kind} is not bound to it`
    case 'not_visible':
      return 'it is not visible here'
    case 'switched_off':
      return 'its server is switched off in this chat'
    case 'role':
      return `an ${reason.role} calls no tool`
    case 'unconfirmed':
      return 'permissions cannot be confirmed'
    case 'default':
      return defaults[reason.why].reason
  }
}

function toName({ kind, id }: Subject): string {
  return id === '*' ? `every ${kinds[kind]}` : `${kinds[kind]} ${id}`
}
