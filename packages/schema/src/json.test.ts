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

test('text from outside is refused when it is not JSON, too deep, or has a key __proto__ [T16, T17]', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(parsed('{"a":')).toBe('parse_error')
  expect(parsed(deep(64))).toBeInstanceOf(Array)
  expect(parsed(deep(65))).toBe('invalid_request')
  expect(parsed(deep(1_000_000))).toBe('invalid_request')
  expect(parsed('{"a":[{"__proto__":{"admin":true}}]}')).toBe('invalid_request')
  expect(parsed('{"constructor":1}')).toEqual({ constructor: 1 })
  expect(parsed('[-0]')).toStrictEqual([0])
})

/** Names by which every object is reached. */
const key = fc.constantFrom(
  ...['__proto__', 'constructor', 'prototype', 'toString', '__defineGetter__', 'polluted', 'a'],
)
const { text: hostileText } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom('1', '"polluted"', 'null'),
    fc.array(tie('text'), { maxLength: 3 }).map((items) => `[${items}]`),
    fc
      .array(fc.tuple(key, tie('text')), { maxLength: 4 })
      .map((fields) => `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}`),
  ),
}))

const hostileTexts = longCount(2_000, 100_000)

test(`whatever keys ${hostileTexts} texts have, none is kept that leads to a prototype, and none changes [T16]`, () => {
  const before = Object.getOwnPropertyNames(Object.prototype)
  const harmless = fc.property(hostileText, (text) => {
    const value = parsed(text)
    if (value === 'invalid_request') return text.includes('"__proto__"')
    // Of two fields of one name the last counts: what was in the first is gone.
    return !JSON.stringify(value).includes('"__proto__"') && isPlain(Object.assign({}, value))
  })
  fc.assert(harmless, { numRuns: hostileTexts })
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
  expect({}).not.toHaveProperty('polluted')
})

const isPlain = (value: object) => Object.getPrototypeOf(value) === Object.prototype

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    return isAppError(error) ? error.code : error
  }
}
