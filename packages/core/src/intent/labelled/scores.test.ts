import { describe, expect, test } from 'vitest'
import { createIntentRecogniser } from '../recogniser.ts'
import { readSentences, scoreClass } from './scores.ts'
import { labelledSentences } from './sentences.ts'

const floor = 0.97

test('at least 300 sentences are labelled, a third held out, and many ask for no tool', () => {
  const { tuned, held_out } = labelledSentences
  const all = [...tuned, ...held_out]
  expect(all.length).toBeGreaterThanOrEqual(300)
  expect(held_out.length * 3).toBeGreaterThanOrEqual(all.length)
  const negatives = all.filter(({ expected }) => expected !== 'explicit' && expected !== 'keyword')
  expect(negatives.length * 2).toBeGreaterThanOrEqual(all.length)
  expect(new Set(all.map(({ text, language }) => `${language} ${text}`)).size).toBe(all.length)
})

describe.each(Object.entries(labelledSentences))('of the sentences %s', (_, sentences) => {
  const readings = readSentences(createIntentRecogniser(), sentences)

  test.each(['explicit', 'keyword', 'normal'] as const)(
    `%s is recognised with precision and recall of at least ${floor} [B2.1] [B2.2] [B2.3]`,
    (of) => {
      const { precision, recall } = scoreClass(readings, of)
      expect(precision).toBeGreaterThanOrEqual(floor)
      expect(recall).toBeGreaterThanOrEqual(floor)
    },
  )
})

test.each(['memory', 'hitl'] as const)('%s is recognised nine times of ten [B2.3]', (of) => {
  const readings = readSentences(createIntentRecogniser(), labelledSentences.held_out)
  const { precision, recall } = scoreClass(readings, of)
  expect(precision).toBeGreaterThanOrEqual(0.9)
  expect(recall).toBeGreaterThanOrEqual(0.9)
})

test('a recogniser that finds a tool in everything fails the floor', () => {
  const eager = {
    recognise: () => ({
      intent: { type: 'mcp' as const, tool_name: 'search' },
      words: [],
      entries: [],
    }),
  }
  const { precision } = scoreClass(readSentences(eager, labelledSentences.tuned), 'explicit')
  expect(precision).toBeLessThan(floor)
})
