import { describe, expect, test } from 'vitest'
import { findCitations } from './find-citations.ts'

describe('findCitations', () => {
  test.each([
    ['East leads [q1].', ['q1']],
    ['East leads[q12][q3].', ['q12', 'q3']],
    ['East leads [q1, q3; q4].', ['q1', 'q3', 'q4']],
    ['华东领先【q1】,[q2、q3],[q4，q5]。', ['q1', 'q2', 'q3', 'q4', 'q5']],
    ['With room [ q1 ].', ['q1']],
    ['Not run [q0] [q007] [q123456789].', ['q0', 'q007', 'q123456789']],
    ['(q1) and Q1 and [Q1] and [x] and q1 and [q] and [q1 q2] and [q1】.', []],
    ['`[q1]` and ``[q2] ` [q3]`` and [q4].', ['q4']],
    ['```\n[q1]\n```\n[q2]', ['q2']],
    ['~~~sql\n[q1]\n~~~\n[q2]', ['q2']],
    ['```\n[q1]', []],
    ['one ` backtick [q1].\n\nand ` another', ['q1']],
    ['a link [q1](https://example.com/[q2])', []],
    ['> quoted [q1]\n\n| a | [q2] |', ['q1', 'q2']],
  ])('reads %j', (text, refs) => {
    expect(findCitations(text).map(({ ref }) => ref)).toEqual(refs)
  })

  test('the marks of a list adjoin and cover its brackets', () => {
    const text = 'x [q1, q3] y'
    const marks = findCitations(text)
    expect(marks.map((one) => one.text)).toEqual(['[q1, ', 'q3]'])
    expect(marks.map(({ from, to }) => text.slice(from, to)).join('')).toBe('[q1, q3]')
  })
})
