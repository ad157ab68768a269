import { type PolicyReason, reasonSchema } from '@dataagent/schema'
import { useLang } from '../words/use-words.ts'
import type { Lang } from '../words/words.ts'
import { explainWords } from './explain-words.ts'
import { policyWords } from './policy-words.ts'
import { toSubject } from './to-subject.ts'

/** What decided, as a sentence. */
export function useReason(): (reason: PolicyReason) => string {
  const lang = useLang()
  return (reason) => toReason(reason, lang)
}

export function toReason(reason: PolicyReason, lang: Lang): string {
  const words = explainWords[lang]
  const { effects, tiers } = policyWords[lang]
  switch (reason.kind) {
    case 'rule':
      return words.rule(reason.rule_id, tiers[reason.tier], effects[reason.effect])
    case 'not_bound':
      return words.notBound(toSubject(reason.subject, lang))
    case 'not_visible':
      return words.notVisible
    case 'switched_off':
      return words.switchedOff
    case 'role':
      return words.role
    case 'feature_off':
      return words.featureOff(reason.feature)
    case 'server_setting':
      return words.serverSetting(effects[reason.effect])
    case 'unconfirmed':
      return words.unconfirmed
    case 'default':
      return words.byDefault(words.why[reason.why] ?? reason.why)
  }
}

/** The same of what the audit holds as JSON; as it is where that is something else. */
export function useDecidedBy(): (text: string) => string {
  const toReasonText = useReason()
  return (text) => {
    const reason = readReason(text)
    return reason ? toReasonText(reason) : text
  }
}

function readReason(text: string): PolicyReason | undefined {
  try {
    return reasonSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
