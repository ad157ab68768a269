import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPattern, kindOfPattern } from './safe-pattern.ts'
import { toRe2 } from './to-re2.ts'
import { createValidator } from './validator.ts'

const free = () => {}

test('two patterns of one schema do not share one expression', () => {
  const schema = {
    properties: { a: { pattern: '^a+$' }, b: { pattern: '^b+$' } },
    patternProperties: { '^x': { pattern: '^x+$' }, '^y': { pattern: '^y+$' } },
  }
  const { validate } = createValidator()
  expect(validate('k', schema, { a: 'aa', b: 'bb', x: 'x', y: 'y' })).toEqual({ status: 'ok' })
  for (const value of [{ a: 'bb' }, { b: 'aa' }, { x: 'y' }, { y: 'x' }]) {
    expect(validate('k', schema, value)).toMatchObject({ status: 'invalid' })
  }
})

test('two patterns have two names', () => {
  const names = ['a', 'b', 'a/b', '\\\\', '"'].map((one) => String(createPattern(one, free)))
  expect(new Set(names).size).toBe(5)
})

describe('a pattern', () => {
  test.each([
    ['^[A-Z]{3}-\\d+$', 'linear'],
    ['^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', 'linear'],
    ['^(a+)+$', 'linear'],
    ['^\\p{Lu}', 'linear'],
    ['(?<year>\\d{4})-(?:\\d{2})', 'linear'],
    ['^(?=a)', 'native'],
    ['(?<!a)b', 'native'],
    ['(a)\\1', 'native'],
    ['[\\w-.]', 'native'],
    ['.{0,4000}', 'native'],
    ['(?:[\\p{L}\\p{N}]{20}){20}', 'native'],
    ['^([0-9A-Fa-f]{2}[:-]){5}([0-9A-Fa-f]{2})$', 'linear'],
    ['a'.repeat(5_000), 'native'],
    ['(', 'invalid'],
    ['[b-a]', 'invalid'],
  ])('%s is %s', (pattern, kind) => {
    expect(kindOfPattern(pattern)).toBe(kind)
  })

  test('is compiled in little time even if it is large', () => {
    const began = performance.now()
    for (const pattern of [
      '(?:[\\p{L}\\p{N}]{20}){20}',
      '(a{1,22}){1,22}',
      '(?:a|b|c)*'.repeat(90),
    ]) {
      kindOfPattern(pattern)
    }
    expect(performance.now() - began).toBeLessThan(500)
  })
})

const atoms = [
  'a',
  'b',
  '-',
  ' ',
  '.',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\b',
  '[ab]',
  '[^ab]',
  '[\\s\\d]',
  '[^\\sx]',
  '[[a]',
  '[^]',
  '\\n',
  '\\x41',
  '\\u0042',
  '\\u{1F600}',
  '\\p{L}',
  '\\P{L}',
  '\\.',
  '\\/',
  '(?:a|bc)',
  '(a)',
  '(?<n>x)',
  '^',
  '$',
  '|',
  '[a-z.]',
  '\\-',
  '[\\-a]',
  '\\0',
  '\\t',
  '\\v',
  '[\\]]',
]
const pieces = fc.array(
  fc.tuple(
    fc.constantFrom(...atoms),
    fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '+?'),
  ),
  { maxLength: 6 },
)
const texts = fc.string({
  unit: fc.constantFrom(
    'a',
    'b',
    'c',
    'x',
    'A',
    'B',
    '1',
    '-',
    ' ',
    '.',
    '[',
    '\n',
    '\r',
    '\t',
    '\v',
    '\0',
    '\u00a0',
    '\u2028',
    '\ufeff',
    'é',
    '订',
    '😀',
    '/',
    '_',
    ']',
  ),
  maxLength: 6,
})

test('a translated pattern matches exactly what JavaScript matches', () => {
  let translated = 0
  fc.assert(
    fc.property(pieces, fc.array(texts, { minLength: 5, maxLength: 5 }), (parts, samples) => {
      const source = parts.map((part) => part.join('')).join('')
      const native = toNative(source)
      if (!native || toRe2(source) === undefined) return
      translated += 1
      const safe = createPattern(source, free)
      for (const text of samples) expect([text, safe.test(text)]).toEqual([text, native.test(text)])
    }),
    { numRuns: longCount(1_000, 200_000) },
  )
  expect(translated).toBeGreaterThan(100)
})

function toNative(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}
