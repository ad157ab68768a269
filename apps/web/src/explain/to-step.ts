import type { ToolExplanation } from '@dataagent/schema'
import type { Lang } from '../words/words.ts'
import { explainWords } from './explain-words.ts'
import { policyWords } from './policy-words.ts'
import { toSubject } from './to-subject.ts'

type Step = ToolExplanation['steps'][number]['what']
type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>

/** One thing that was looked at on the way to a verdict, as a sentence. */
export function toStep(step: Step, lang: Lang): string {
  const words = explainWords[lang]
  switch (step.kind) {
    case 'refused_at_once':
      return words[step.why]
    case 'server':
      return step.visible ? words.visible : words.notVisible
    case 'features_on':
      return words.featuresOn
    case 'feature_off':
      return words.featureOff(step.feature)
    case 'brought':
      return words.brought
    case 'switched_off':
      return words.switchedOff
    case 'list':
      return toList(step, lang)
    case 'rule':
      return toRule(step, lang)
    case 'server_setting':
      return words.serverSetting(policyWords[lang].effects[step.effect])
    case 'default':
      return words.defaultStep(words.why[step.why] ?? step.why)
    case 'untrusted_output':
      return toUntrusted(step, lang)
    case 'arguments':
      return step.asks ? words.argumentsAsk : words.argumentsCalm
  }
}

function toList({ subject, of, holds }: StepOf<'list'>, lang: Lang): string {
  const words = explainWords[lang]
  const list = of === null ? words.installationList : words.listOf(toSubject(of, lang))
  return words.list(toSubject(subject, lang), list, holds)
}

function toRule(step: StepOf<'rule'>, lang: Lang): string {
  const words = explainWords[lang]
  const { effects, tiers } = policyWords[lang]
  const { rule_id, tier, effect, subject, server_id, tool, state } = step
  const tools = words.toolsOf(tool, server_id === '*' ? words.everyServer : server_id)
  const who = toSubject(subject, lang)
  const name = words.ruleName(rule_id, tiers[tier])
  return words.ruleStep(name, effects[effect], tools, who) + words.ruleStates[state]
}

function toUntrusted({ read, doubtful, outside }: StepOf<'untrusted_output'>, lang: Lang): string {
  const words = explainWords[lang]
  if (!outside) return words.harmless
  const list = read.join(', ')
  return doubtful.length === 0 ? words.trusted(list) : words.untrusted(list, doubtful.join(', '))
}
