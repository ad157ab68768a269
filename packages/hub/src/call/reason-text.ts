import type { DefaultWhy, Reason } from '../policy/index.ts'

const defaults: Record<DefaultWhy, string> = {
  own_tool: 'a tool of this platform',
  own_tool_asks: 'it acts outside of your own space',
  own_tool_by_arguments: 'with these arguments it acts outside of your own space',
  administrators_server: 'a tool of a server that an administrator registered',
  destructive_annotation: 'its server says that it is destructive',
  users_server: 'its server was added by a user',
  after_untrusted_output: 'this run has read output that nobody vouches for',
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
    case 'role':
      return `an ${reason.role} calls no tool`
    case 'unconfirmed':
      return 'permissions cannot be confirmed'
    case 'default':
      return defaults[reason.why]
  }
}
