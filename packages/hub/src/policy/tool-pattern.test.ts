import { matchToolFilter } from '@dataagent/mcp'
import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toToolPattern, whyNothingFits } from './tool-pattern.ts'

function fits(pattern: string, name: string): boolean {
  const made = toToolPattern(pattern)
  if (made.kind === 'pattern') return made.matches(name)
  return made.kind === 'any' || made.name === name
}

const numRuns = longCount(2_000, 100_000)
const pattern = fc.string({ unit: fc.constantFrom(...'ab*?[]^-\\/._读'), maxLength: 8 })
const name = fc.string({ unit: fc.constantFrom(...'ab/._读'), maxLength: 6 })

test('a pattern fits what the filter of a server fits, and a star alone everything', () => {
  fc.assert(
    fc.property(pattern, name, (text, tool) => {
      const isStar = /^\*+$/.test(text)
      expect(fits(text, tool)).toBe(isStar || matchToolFilter(text, tool))
    }),
    { numRuns },
  )
})

test('a pattern that fits some name is never refused', () => {
  fc.assert(
    fc.property(pattern, name, (text, tool) => {
      if (text !== '' && fits(text, tool)) expect(whyNothingFits(text)).toBeUndefined()
    }),
    { numRuns },
  )
})

test.each([
  ['', 'empty'],
  ['a[', 'not finished'],
  ['[]', 'not finished'],
  ['a\\', 'not finished'],
  ['[z-a]', 'no character'],
  [' a', 'space'],
  ['a\0', 'control character'],
  ['x'.repeat(192), '191'],
])('%j is refused: %s', (text, why) => {
  expect(whyNothingFits(text)).toContain(why)
})
