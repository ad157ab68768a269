import { expect, test } from 'vitest'
import { readFailure } from './read-failure.ts'

test('a failure is read as its code and its message', () => {
  const kept = JSON.stringify({ code: 'timeout', message: 'no answer in 5 s', data: {} })
  expect(readFailure(kept)).toEqual({ code: 'timeout', message: 'no answer in 5 s' })
})

test.each(['it broke', '"it broke"', 'null', '{'])('%j is no such thing', (text) => {
  expect(readFailure(text)).toBeUndefined()
})
