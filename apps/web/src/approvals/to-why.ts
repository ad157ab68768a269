import type { inboxWords } from './inbox-words.ts'

type Words = Pick<(typeof inboxWords)['en'], 'reasons' | 'ruleAsks' | 'tiers'>

const ofRule = /^a rule of the (\w+) says so \((.+)\)$/

/** Why a person is asked, of the words that the approval was stored with. */
export function toWhy(reason: string, { reasons, ruleAsks, tiers }: Words): string {
  const [, tier = '', id = ''] = ofRule.exec(reason) ?? []
  if (id !== '') return ruleAsks(tiers[tier] ?? tier, id)
  return reasons[reason] ?? reason
}
