import { describe, expect, test } from 'vitest'
import { showLines } from './test-lines.ts'
import { createTheme } from './theme.ts'
import { cut, padEnd, padStart, widthOf, wrap, wrapWith } from './width.ts'

const theme = createTheme({ env: { TERM: 'xterm' }, isTty: true })

test.each([
  ['plain', 5],
  ['订单', 4],
  ['e\u0301', 1],
  ['中\u0301文。（）', 10],
  ['👩‍💻', 2],
  [theme.bad('订单'), 4],
])('%j takes its cells', (text, cells) => {
  expect(widthOf(text)).toBe(cells)
})

describe('cutting', () => {
  test('keeps to the width, never half of a character', () => {
    expect(cut('订单列表', 5)).toBe('订单…')
    expect(cut('abc', 3)).toBe('abc')
    expect(cut('abcdef', 4, '...')).toBe('a...')
  })

  test('adds no escape to what has none', () => {
    expect(cut('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`)
    expect(cut(theme.bad('订单列表'), 5)).toContain('\u001b[')
  })
})

test('padding counts cells', async () => {
  const lines = [`${padEnd('订单', 6)}|`, `${padEnd('ab', 6)}|`, `${padStart('单', 6)}|`]
  const { columnOf } = await showLines(lines)
  expect(lines.map((_, at) => columnOf(at, '|'))).toEqual([6, 6, 6])
})

describe('wrapping', () => {
  test('breaks at words, between Chinese characters, and words that are too long', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
    expect(wrap('上月各区域销售额', 6)).toEqual(['上月各', '区域销', '售额'])
    expect(wrap('abcdefgh', 4)).toEqual(['abcd', 'efgh'])
    expect(wrap('a\n\nb', 10)).toEqual(['a', '', 'b'])
  })

  test('ends every line with its colours closed', async () => {
    const lines = wrap(theme.bad('one two three four'), 9)
    const { hasStyle } = await showLines(lines.map((line) => line.replaceAll(/[a-z]/g, '')))
    expect(lines.length).toBeGreaterThan(1)
    expect(hasStyle).toBe(false)
    for (const line of lines)
      expect(['\u001b[0m', '\u001b[39m']).toContain(line.slice(line.lastIndexOf('\u001b')))
  })

  test('keeps what follows the first line below its text', () => {
    expect(wrapWith('1. ', '   ', 'aa bb cc', 8)).toEqual(['1. aa bb', '   cc'])
  })
})
