import { expect, test } from 'vitest'
import { fromToolChoice, toToolChoice } from './tool-choice.ts'

test.each<[unknown, unknown]>([
  [undefined, undefined],
  ['auto', 'auto'],
  ['none', 'none'],
  ['required', 'required'],
  ['any', 'required'],
  ['look', { name: 'look' }],
  [{ type: 'function', function: { name: 'look' } }, { name: 'look' }],
  [{ type: 'tool', name: 'look' }, { name: 'look' }],
  [{ type: 'any' }, 'required'],
  [{ type: 'auto' }, 'auto'],
])('%j is %j', (given, choice) => {
  expect(fromToolChoice(given)).toEqual(choice)
})

test('what is none of it is refused', () => {
  expect(() => fromToolChoice({ type: 'allowed_tools' })).toThrow('no tool choice')
})

test('in words that every provider takes', () => {
  expect(['auto' as const, 'none' as const, 'required' as const].map(toToolChoice)).toEqual([
    ...['auto', 'none', 'any'],
  ])
  expect(toToolChoice({ name: 'look' })).toBe('look')
})
