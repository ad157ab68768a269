import { expect, test } from 'vitest'
import { toDiffLines } from './to-diff-lines.ts'

const shown = (before: unknown, after: unknown) =>
  toDiffLines(before, after).map(({ kind, text }) => `${kind[0]} ${text}`)

test('texts are compared line by line', () => {
  expect(shown('one\ntwo', 'one\nthree')).toEqual(['s one', 'r two', 'a three'])
})

test('what is new or gone has nothing on its other side', () => {
  expect(shown(undefined, 'x')).toEqual(['r undefined', 'a x'])
  expect(shown(['x'], undefined)).toEqual(['r [', 'r   "x"', 'r ]', 'a undefined'])
})

test('all else is compared as JSON', () => {
  expect(shown({ type: 'string' }, { type: 'number' })).toContain('a   "type": "number"')
})

test('what differs everywhere is shown whole, soon', () => {
  const lines = (mark: string) => Array.from({ length: 5000 }, (_, i) => `${mark}${i}`).join('\n')
  const begun = performance.now()
  expect(toDiffLines(lines('a'), lines('b'))).toHaveLength(10_000)
  expect(performance.now() - begun).toBeLessThan(5000)
})
