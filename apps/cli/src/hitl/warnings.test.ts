import { expect, test } from 'vitest'
import { findWarnings } from './warnings.ts'

const of = (args: Record<string, unknown>) =>
  findWarnings({ name: 'tool', description: '', args: args as never }).map(
    ({ path, text }) => `${path}: ${text.en}`,
  )

test.each([
  ['a zero-width space', 'pay\u200bpal', /text: holds characters that cannot be seen/],
  ['a tag', 'ok\u{e0041}', /cannot be seen/],
  ['a joiner between letters', 'pass\u200dword', /cannot be seen/],
  ['a turned order', 'abc\u202exe.txt', /change the order/],
  ['an escape', 'a\u001b[2J', /control characters/],
  ['Cyrillic in a Latin word', 'pаypal', /"pаypal" mixes letters/],
  ['a Greek letter in one', 'gοogle', /mixes letters/],
  ['a Cyrillic host', 'https://аррӏе.com/login', /leads to xn--/],
  ['a host in punycode', 'see http://xn--80ak6aa92e.com', /leads to xn--80ak6aa92e\.com/],
  ['a name before the host', 'https://bank.com@evil.example/x', /leads to evil\.example/],
  ['a number as host', 'http://2130706433/', /leads to 127\.0\.0\.1/],
  ['a host in percents', 'http://%65vil.example/', /leads to evil\.example/],
])('%s is found', (_, text, warning) => {
  expect(of({ text }).join('\n')).toMatch(warning)
})

test.each([
  'plain text\nwith lines\tand tabs',
  '上月各区域销售额？',
  'https://例子.中国/路径',
  'https://user:pw@db.example:5432/x',
  'http://127.0.0.1:8080/',
  'https://Example.COM/?q=a@b.c',
  '👩‍🔬 👍🏽 ❤️',
  'می‌خواهم',
  'Москва и Athens',
])('%j is ordinary', (text) => {
  expect(of({ text })).toEqual([])
})

test('names of fields, and what lies deep, are looked at too', () => {
  expect(of({ a: [{ 'b\u200b': 1 }, { c: 'x\u202e' }] })).toEqual([
    'a.0.b\u200b: holds characters that cannot be seen',
    'a.1.c: holds characters that change the order of the text',
  ])
})

test('so are the names of tool and server', () => {
  const found = findWarnings({ name: 'run\u200b', server: 'ordеrs', description: '', args: {} })
  expect(found.map(({ path }) => path)).toEqual(['tool', 'server'])
})

test('a million characters take no time to speak of', () => {
  const started = performance.now()
  of({ a: 'http://'.repeat(100_000), b: 'а1'.repeat(300_000), c: '\u200d'.repeat(200_000) })
  expect(performance.now() - started).toBeLessThan(10_000)
})
