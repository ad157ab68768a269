import { expect, test } from 'vitest'
import { recordedTable, toRows, withRecorded } from './test-recorded.ts'

const rows = [
  { en: 'started', zh: '启动', seconds: 31.04 },
  { en: 'started', zh: '启动', seconds: 2, again: true },
  { en: 'answered', zh: '回答', picture: 'answer', seconds: 1.5 },
]

test('each step has its time and picture, and the second start is in no sum', () => {
  const table = recordedTable('en', rows, { date: '2026-11-18', cores: 2 })
  expect(table).toContain('| started | 31.0 |  |')
  expect(table).toContain('| answered | 1.5 | [picture](screens/first-run/answer.en.webp) |')
  expect(table).toMatch(/all together.*\| 32\.5 \|/)
})

test('each language has its own steps, below the two starts', () => {
  const walked = (start: number, answer: number) => [
    { en: 'started', zh: '启动', seconds: start },
    { en: 'answered', zh: '回答', seconds: answer },
  ]
  const { en, zh } = toRows({ en: walked(31, 1.5), zh: walked(2, 1.7) })
  expect(en.map(({ seconds }) => seconds)).toEqual([31, 2, 1.5])
  expect(zh.map(({ seconds, again }) => [seconds, again])).toEqual([
    [31, undefined],
    [2, true],
    [1.7, undefined],
  ])
})

test('a table takes the place of the one before', () => {
  const page = 'a\n<!-- recorded -->\n\nold\n\n<!-- end -->\nb\n'
  expect(withRecorded(page, 'new')).toBe('a\n<!-- recorded -->\n\nnew\n\n<!-- end -->\nb\n')
  expect(() => withRecorded('a page without', 'new')).toThrow('no <!-- recorded -->')
})
