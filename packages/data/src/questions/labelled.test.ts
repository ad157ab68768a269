import { expect, test } from 'vitest'
import { retailQuestions } from '../sample/index.ts'
import { createQuestionMatcher } from './question-matcher.ts'
import { labelled, scoreOn } from './test-labelled.ts'

const matcher = createQuestionMatcher(retailQuestions)

test.each([
  { part: 'tuned', least: { count: 400, precision: 0.98, recall: 0.9 } },
  { part: 'heldOut', least: { count: 120, precision: 0.95, recall: 0.85 } },
] as const)(
  'on the $part sentences what is found is meant, and most is found',
  ({ part, least }) => {
    const scores = scoreOn(matcher, labelled[part])
    expect(labelled[part].length).toBeGreaterThanOrEqual(least.count)
    expect(scores.precision, scores.wrong.join('\n')).toBeGreaterThanOrEqual(least.precision)
    expect(scores.recall, scores.missed.join('\n')).toBeGreaterThanOrEqual(least.recall)
  },
)

test('about half of the sentences mean nothing that could be found', () => {
  for (const sentences of Object.values(labelled)) {
    const none = sentences.filter(({ question_id }) => question_id === undefined).length
    expect(none / sentences.length).toBeGreaterThan(0.4)
    expect(none / sentences.length).toBeLessThan(0.6)
  }
})

test('every phrasing of a question of the sample finds that question', () => {
  const lost = retailQuestions.flatMap((question) =>
    [question.question, ...question.also].filter(
      (text) => matcher.match(text)?.question !== question,
    ),
  )
  expect(lost).toEqual([])
})
