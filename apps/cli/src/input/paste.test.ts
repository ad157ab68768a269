import { expect, test } from 'vitest'
import { createPasteReader, toTypable } from './paste.ts'

const open = '\u001b[200~'
const close = '\u001b[201~'

test('keys go through as they came, a paste is one piece', () => {
  const read = createPasteReader()
  expect(read('a')).toEqual([{ kind: 'keys', data: 'a' }])
  expect(read(`b${open}x\r\ny${close}c`)).toEqual([
    { kind: 'keys', data: 'b' },
    { kind: 'paste', text: 'x\ny' },
    { kind: 'keys', data: 'c' },
  ])
})

test('a paste may come in parts, cut anywhere', () => {
  const read = createPasteReader()
  const parts = [`${open}one `, 'two', ' three\u001b[2', '01~', 'k']
  expect(parts.flatMap(read)).toEqual([
    { kind: 'paste', text: 'one two three' },
    { kind: 'keys', data: 'k' },
  ])
})

test.each([
  ['a\u001b[31mred\u001b[0m', 'ared'],
  ['a\u001b]0;title\u0007b', 'ab'],
  ['a\u001b]52;c;aGk=\u001b\\b', 'ab'],
  ['a\u0007\u0000\u007f\u009b31mb', 'a31mb'],
  ['safe\u202eevil\u2066', 'safeevil'],
  ['one\u001b[106;5utwo', 'one\ntwo'],
  ['tab\tand\r\nline\rends', 'tab\tand\nline\nends'],
  ['👩‍🔬 好', '👩‍🔬 好'],
])('of %j only what can be typed is left', (text, typed) => {
  expect(toTypable(text)).toBe(typed)
})

test('C1 controls are no keys', () => {
  expect(createPasteReader()('\u009b')).toEqual([])
})
