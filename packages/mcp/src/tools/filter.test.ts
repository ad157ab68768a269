import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isToolAllowed, matchToolFilter } from './filter.ts'

/** Pattern, the names that it matches, the names that it does not. */
const table: [pattern: string, yes: string[], no: string[]][] = [
  ['', [''], ['a']],
  ['read_file', ['read_file'], ['read_files', 'xread_file', 'Read_file', '']],
  ['read_*', ['read_', 'read_file'], ['read', 'pre_read_file', 'read_a/b']],
  ['*', ['', 'anything', '读'], ['a/b', '/']],
  ['**', ['', 'ab'], ['a/b']],
  ['*_file', ['read_file', '_file'], ['read_file2']],
  ['*x', ['x', 'xxx', 'yx'], ['xy', 'a/x']],
  ['a*b*c', ['abc', 'a1b2c', 'abbcc'], ['acb', 'ab/c']],
  ['a*/b', ['a/b', 'axx/b'], ['a/x/b', 'a/']],
  ['*/*', ['/', 'a/b'], ['a', 'a/b/c']],
  ['a*b?c*x', ['abxbbxdbxebxczzx'], ['abxbbxdbxebxczzy']],
  ['?', ['a', '读', '😀', '*'], ['', 'ab', '/']],
  ['a?c', ['abc', 'a读c'], ['ac', 'a/c', 'abbc']],
  ['a???b', ['axyzb'], ['a读b']],
  ['[abc]', ['a', 'c'], ['d', '', 'ab']],
  ['v[0-9]', ['v0', 'v9'], ['va', 'v10', 'v']],
  ['[a-cx-z0]', ['b', 'y', '0'], ['d', 'w', '1', '-']],
  ['[^a]', ['b', '读', '/'], ['a', '']],
  ['[^a-c]x', ['dx'], ['ax', 'cx', 'x']],
  ['[a-ζ]*', ['α', 'zz'], ['A', 'Ω/']],
  ['[α-ω😀]', ['β', '😀'], ['b', '😁']],
  ['[/]', ['/'], ['a']],
  ['[z-a]', [], ['a', 'z', '-', 'm']],
  ['[^z-a]', ['a', '-'], ['']],
  ['[a^]', ['a', '^'], ['b']],
  ['[^^]', ['a'], ['^']],
  ['[[*?]', ['[', '*', '?'], ['a', ']']],
  ['[\\]a]', [']', 'a'], ['\\', 'b']],
  ['[\\-x]', ['-', 'x'], ['\\', 'a']],
  ['[a\\-c]', ['a', '-', 'c'], ['b', '\\']],
  ['[+-\\-]', ['+', ',', '-'], ['.', '\\']],
  ['a\\*b', ['a*b'], ['ab', 'axb', 'a\\*b']],
  ['\\?\\[\\\\', ['?[\\'], ['a[\\']],
  ['\\a\\读', ['a读'], ['\\a读']],
  ['a]-^{b}', ['a]-^{b}'], ['a']],
  ['mcp.*', ['mcp.x'], ['mcpxx', 'read_file']],
  // What follows a star is taken where it first fits, even if only a later place would do.
  ['*[^x]*b', ['ab', 'aab'], ['a/b']],
  // A star may stop inside a character.
  ['*??b', ['xyb', '读b'], ['xb', 'éb']],
]

const invalid = [
  ...['[', 'a[', '[a', '[^', '[^a', '[]', '[^]', '[]a]', '[^]a]', '[-]', '[-x]', '[x-]', '[a-b-c]'],
  ...['[a-]', '[a-', '[a-\\', '[\\', '[\\]', '\\', 'a\\', '*\\', '*[', '[a]['],
]

describe('TestMatchToolFilter_Wildcard', () => {
  test.each(table)('%j matches %j and not %j', (pattern, yes, no) => {
    expect(yes.filter((name) => !matchToolFilter(pattern, name))).toEqual([])
    expect(no.filter((name) => matchToolFilter(pattern, name))).toEqual([])
  })

  test.each(invalid)('%j is invalid and matches nothing', (pattern) => {
    const names = ['', 'a', 'ab', 'x', '-', ']', '[', '\\', '/', 'b', 'a]', '[]', pattern]
    expect(names.filter((name) => matchToolFilter(pattern, name))).toEqual([])
  })

  test('many stars cost no more than name times pattern', () => {
    const start = performance.now()
    expect(matchToolFilter(`${'*a'.repeat(50)}*b`, 'a'.repeat(20_000))).toBe(false)
    expect(matchToolFilter(`${'[^b]*?'.repeat(50)}b`, 'a'.repeat(20_000))).toBe(false)
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})

describe('compared with a regular expression', () => {
  const numRuns = longCount(2_000, 200_000)
  const timeout = longCount(30_000, 1_200_000)
  const literal = fc.constantFrom('a', 'b', '-', ']', '^', '.')
  const classChar = fc.constantFrom('a', 'b', 'c', '\\-', '\\]', '\\\\', '^', '*')
  const range = fc.oneof(
    classChar,
    fc.constantFrom('a-c', 'b-b', 'c-a', '\\--a', '\\]-\\a', '中-国'),
  )
  const classUnit = fc
    .tuple(fc.boolean(), fc.array(range, { minLength: 1, maxLength: 3 }))
    .filter(([negated, ranges]) => negated || !ranges[0]?.startsWith('^'))
    .map(([negated, ranges]) => `[${negated ? '^' : ''}${ranges.join('')}]`)
  const escaped = fc.constantFrom('\\*', '\\?', '\\[', '\\\\', '\\a')
  const unit = (...more: fc.Arbitrary<string>[]) =>
    fc.oneof(literal, escaped, fc.constant('?'), ...more)
  const joined = (each: fc.Arbitrary<string>) =>
    fc.array(each, { maxLength: 8 }).map((units) => units.join(''))
  const nameOf = (chars: string) => fc.string({ unit: fc.constantFrom(...chars), maxLength: 8 })

  /** The same pattern as an expression that backtracks; Go's syntax read a second way. */
  function toRegExp(pattern: string): RegExp {
    const source = pattern.replaceAll(/\\(.)|\[(?:\\.|[^\]\\])+\]|[^\\[]/gsu, (part, char) => {
      if (char !== undefined) return RegExp.escape(char)
      if (part === '*') return '[^/]*'
      if (part === '?') return '[^/]'
      return part.length > 1 && part.startsWith('[') ? toClass(part) : RegExp.escape(part)
    })
    return new RegExp(`^(?:${source})$`, 'su')
  }

  function toClass(part: string): string {
    const negated = part.startsWith('[^')
    const ranges = [
      ...part.slice(negated ? 2 : 1, -1).matchAll(/(?<low>\\.|[^\\])(?:-(?<high>\\.|[^\\]))?/gsu),
    ].flatMap(({ groups }) => {
      const [low = '', high = low] = [groups?.low, groups?.high].map((char) => char?.at(-1))
      return low <= high ? [`${RegExp.escape(low)}-${RegExp.escape(high)}`] : []
    })
    return negated ? `[^${ranges.join('')}]` : `[${ranges.join('')}]`
  }

  const agree = (pattern: string, name: string) => {
    expect(matchToolFilter(pattern, name)).toBe(toRegExp(pattern).test(name))
  }

  test('it gives the same answers on names without a slash', { timeout }, () => {
    const pattern = joined(unit(fc.constant('*'), fc.constant('*'), classUnit))
    fc.assert(fc.property(pattern, nameOf('abc-]^.*?[\\'), agree), { numRuns })
  })

  test('it gives the same answers on names with slashes, where no class could take one', {
    timeout,
  }, () => {
    const pattern = joined(unit(fc.constant('*'), fc.constant('*'), fc.constant('/')))
    fc.assert(fc.property(pattern, nameOf('ab/-'), agree), { numRuns })
  })

  test('it gives the same answers on any letters, where no star could split one', {
    timeout,
  }, () => {
    const pattern = joined(unit(classUnit, fc.constantFrom('中', '😀', 'é')))
    fc.assert(fc.property(pattern, nameOf('ab中国😀é/'), agree), { numRuns })
  })
})

describe('which tools of a server are used', () => {
  test.each([
    ['all, when nothing is set', {}, ['read', 'write', 'rm']],
    [
      'all, when the lists are empty',
      { allowedTools: [], blockedTools: [] },
      ['read', 'write', 'rm'],
    ],
    ['those allowed', { allowedTools: ['r*'] }, ['read', 'rm']],
    ['those not blocked', { blockedTools: ['r?'] }, ['read', 'write']],
    ['blocked wins', { allowedTools: ['r*', 'write'], blockedTools: ['*m'] }, ['read', 'write']],
    ['an invalid pattern allows nothing', { allowedTools: ['['] }, []],
    ['an invalid pattern blocks nothing', { blockedTools: ['r[', '['] }, ['read', 'write', 'rm']],
    ['not by the name that the SDK gives', { allowedTools: ['mcp.*'] }, []],
  ])('%s', (_what, selection, expected) => {
    const names = ['read', 'write', 'rm']
    expect(names.filter((name) => isToolAllowed(name, selection))).toEqual(expected)
  })
})
