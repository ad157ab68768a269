import { expect, test } from 'vitest'
import { changedFields, toReadable } from './to-readable.ts'

test('JSON gets lines, other texts stay', () => {
  expect(toReadable('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect([toReadable('plain'), toReadable('"a"')]).toEqual(['plain', '"a"'])
})

test('only fields that differ are told, with what they were', () => {
  expect(changedFields('{"a":1,"b":"x","c":[1]}', '{"a":2,"b":"x","d":null}')).toEqual([
    { field: 'a', before: '1', after: '2' },
    { field: 'c', before: '[1]', after: undefined },
    { field: 'd', before: undefined, after: 'null' },
  ])
  expect(changedFields(null, null)).toEqual([])
  expect(changedFields(null, 'text')).toEqual([
    { field: 'value', before: undefined, after: 'text' },
  ])
})
