import { isDeepStrictEqual } from 'node:util'
import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAppError } from './errors.ts'
import { jsonObject, jsonValue } from './json.ts'
import { parseJson } from './parse-json.ts'
import { readJson } from './read-json.ts'
import { anyJson } from './test-arbitraries.ts'

test('what the schema accepts comes back from text unchanged', () => {
  const unchanged = fc.property(anyJson, (value) => {
    const parsed = jsonValue.parse(value)
    return isDeepStrictEqual(readJson(JSON.stringify(parsed)), value)
  })
  fc.assert(unchanged, { numRuns: longCount(500, 50_000) })
})

test('an object is no array and no null', () => {
  expect(jsonObject.safeParse({ a: [] }).success).toBe(true)
  for (const value of [[], null, 'a', undefined, new Date()])
    expect(jsonObject.safeParse(value).success).toBe(false)
})

test('text from outside is refused when it is not JSON, too deep, or has a key __proto__', () => {
  const codeOf = (text: string) => {
    try {
      return parseJson(text)
    } catch (error) {
      return isAppError(error) ? error.code : error
    }
  }
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(codeOf('{"a":')).toBe('parse_error')
  expect(codeOf(deep(64))).toBeInstanceOf(Array)
  expect(codeOf(deep(65))).toBe('invalid_request')
  expect(codeOf(deep(1_000_000))).toBe('invalid_request')
  expect(codeOf('{"a":[{"__proto__":{"admin":true}}]}')).toBe('invalid_request')
  expect(codeOf('{"constructor":1}')).toEqual({ constructor: 1 })
  expect(codeOf('[-0]')).toStrictEqual([0])
})
