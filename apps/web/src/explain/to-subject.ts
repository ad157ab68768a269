import type { LimitCreate } from '@dataagent/schema'
import type { Lang } from '../words/words.ts'
import { policyWords } from './policy-words.ts'

/** Whom a list or a rule speaks of. */
export function toSubject({ kind, id }: LimitCreate['subject'], lang: Lang): string {
  const { kinds, every, one } = policyWords[lang]
  return id === '*' ? every[kind] : one(kinds[kind], id)
}
