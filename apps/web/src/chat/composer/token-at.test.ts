import { describe, expect, test } from 'vitest'
import { replaceToken, tokenAt } from './token-at.ts'

describe('what is being written', () => {
  test.each([
    ['/', 1, { kind: 'command', text: '', start: 0, end: 1 }],
    ['/he', 3, { kind: 'command', text: 'he', start: 0, end: 3 }],
    ['/新', 2, { kind: 'command', text: '新', start: 0, end: 2 }],
    ['say /he', 7, undefined],
    ['/help me', 8, undefined],
    ['read @re', 8, { kind: 'mention', text: 're', start: 5, end: 8 }],
    ['@', 1, { kind: 'mention', text: '', start: 0, end: 1 }],
    ['@a/b.csv', 8, { kind: 'mention', text: 'a/b.csv', start: 0, end: 8 }],
    ['me@example.com', 14, undefined],
    ['plain words', 5, undefined],
  ])('%j at %i', (text, caret, token) => {
    expect(tokenAt(text, caret)).toEqual(token)
  })
})

test('a name takes the place of what was written of it', () => {
  const token = { kind: 'mention', text: 're', start: 5, end: 8 } as const
  expect(replaceToken('read @re now', token, '@report.csv')).toEqual({
    ...{ text: 'read @report.csv now', caret: 17 },
  })
  expect(replaceToken('read @re', token, '@report.csv').text).toBe('read @report.csv ')
})
