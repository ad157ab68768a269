import type { DataQuestion } from '@dataagent/schema'
import type { Lang } from '../../words/words.ts'

const han = /\p{Script=Han}/u

/** The questions as people of the language ask them, no two alike; others are left out. */
export function toAsked(
  questions: readonly Pick<DataQuestion, 'question' | 'also'>[],
  lang: Lang,
  limit: number,
): string[] {
  const asked = questions.flatMap(({ question, also }) => {
    const found = [question, ...also].find((text) => han.test(text) === (lang === 'zh'))
    return found === undefined ? [] : [found]
  })
  return [...new Set(asked)].slice(0, limit)
}
