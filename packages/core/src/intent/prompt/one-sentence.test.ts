import { expect, test } from 'vitest'
import { toOneSentence } from './one-sentence.ts'

test.each([
  ['Reads a file. And more.', 'Reads a file.'],
  ['One order: its status, v1.2 of it. More', 'One order: its status, v1.2 of it.'],
  ['Units, e.g. metres. Second', 'Units, e.g. metres.'],
  ['查询订单。返回详情。', '查询订单。'],
  ['No end', 'No end'],
  ['  A line\nthat goes on\n\nArgs: x', 'A line that goes on'],
  ['', ''],
])('of %j is %j', (text, sentence) => {
  expect(toOneSentence(text, 120)).toBe(sentence)
})

test('is cut to its length, never within a character', () => {
  expect(toOneSentence('a'.repeat(200), 120)).toBe(`${'a'.repeat(119)}…`)
  expect(toOneSentence('😀'.repeat(100), 120)).toBe(`${'😀'.repeat(59)}…`)
})
