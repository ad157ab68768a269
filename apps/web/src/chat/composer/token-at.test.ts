import { describe, expect, test } from 'vitest'
import { replaceMention, tokenAt } from './token-at.ts'

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
    ['看看@订', 4, { kind: 'mention', text: '订', start: 2, end: 4 }],
    ['open @"my fi', 12, { kind: 'mention', text: 'my fi', start: 5, end: 12 }],
    ['a @"quoted" word', 16, undefined],
    ['plain words', 5, undefined],
  ])('%j at %i', (text, caret, token) => {
    expect(tokenAt(text, caret)).toEqual(token)
  })
})

test('a name takes the place of what was written of it', () => {
  const token = { kind: 'mention', text: 're', start: 5, end: 8 } as const
  expect(replaceMention('read @re now', token, 'report.csv')).toEqual({
    ...{ text: 'read @report.csv now', caret: 17 },
  })
  expect(replaceMention('read @re', token, 'report.csv').text).toBe('read @report.csv ')
})

test('a name with blanks is in quotes, which stay open behind a folder', () => {
  const bare = tokenAt('read @my', 8)!
  const folder = replaceMention('read @my', bare, 'my data/')
  expect(folder).toEqual({ text: 'read @"my data/', caret: 15 })
  const inside = tokenAt(folder.text, folder.caret)!
  expect(inside.text).toBe('my data/')
  expect(replaceMention(folder.text, inside, 'my data/a.csv')).toEqual({
    ...{ text: 'read @"my data/a.csv" ', caret: 22 },
  })
})
