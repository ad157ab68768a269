import { expect, test } from 'vitest'
import { neighbour, toAnswerState } from './approval-state.ts'

test('an approval tells what came of it', () => {
  const stateOf = (fields: object) =>
    toAnswerState({ status: 'decided', via: 'person', used_at: null, ...fields } as never)
  expect(toAnswerState({ status: 'pending' } as never)).toBeUndefined()
  expect(stateOf({ decision: { type: 'approve' } })).toBe('allowed')
  expect(stateOf({ decision: { type: 'approve' }, used_at: 5 })).toBe('used')
  expect(stateOf({ decision: { type: 'reject' } })).toBe('rejected')
  expect(stateOf({ decision: { type: 'reject' }, via: 'expiry' })).toBe('expired')
  expect(stateOf({ decision: { type: 'reject' }, via: 'withdrawal' })).toBe('withdrawn')
})

test('J and K move by one and stop at the ends', () => {
  const ids = ['a', 'b', 'c']
  expect(neighbour(ids, undefined, 1)).toBe('a')
  expect(neighbour(ids, undefined, -1)).toBe('c')
  expect(neighbour(ids, 'a', 1)).toBe('b')
  expect(neighbour(ids, 'c', 1)).toBe('c')
  expect(neighbour(ids, 'a', -1)).toBe('a')
  expect(neighbour(ids, 'gone', 1)).toBe('a')
  expect(neighbour([], 'a', 1)).toBeUndefined()
})
