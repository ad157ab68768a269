import { isDeepStrictEqual } from 'node:util'
import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson } from './read-json.ts'
import { anyJson } from './test-arbitraries.ts'

/** Every character of every string escaped, and space wherever JSON allows it. */
const escapeAll = (text: string) =>
  text
    .replace(/"(?:[^"\\]|\\.)*"/g, (token) => `"${escapeUnits(JSON.parse(token))}"`)
    .replace(/[[\]{},:]/g, ' \n$&\t')
const escapeUnits = (value: string) =>
  Array.from({ length: value.length }, (_, i) => value.charCodeAt(i))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')

test('any JSON text is read as it was written, however it is escaped', () => {
  const exact = fc.property(anyJson, (value) => {
    const text = JSON.stringify(value)
    return [text, escapeAll(text)].every((written) => isDeepStrictEqual(readJson(written), value))
  })
  fc.assert(exact, { numRuns: longCount(500, 50_000) })
})

test.each([
  ['a newline', '{"id":1,"\\\\":0}', '{"id":1,"\\n":2}', '\n'],
  ['a quote', '{"h":1,"\\\\":0}', '{"h":1,"\\"":2}', '"'],
  ['two Chinese letters', '{"k":1,"\\\\u":0}', '{"k":1,"\\u8ba2\\u5355":2}', '订单'],
])('an escaped key of %s is itself after a key that begins with a backslash', (...row) => {
  const [, earlier, text, key] = row
  const kept = [readJson(earlier), JSON.parse(earlier)]
  expect(Object.keys(readJson(text) as object)[1]).toBe(key)
  expect(kept).toHaveLength(2)
})

test('the last of two equal keys counts, and numbers keep their exact value', () => {
  const text = '{"\\u0061":1,"a":[2,-0.5e-7,9007199254740993],"\\u0062":"\\\\\\"","c":null}'
  expect(readJson(text)).toEqual(JSON.parse(text))
})

test('a text with an escaped key is not followed deeper than the limit', () => {
  const bomb = (levels: number) => `{"\\n":${'['.repeat(levels)}${']'.repeat(levels)},"\\r":1}`
  expect(readJson(bomb(63))).toHaveProperty('\r', 1)
  for (const levels of [64, 1_000_000])
    expect(() => readJson(bomb(levels))).toThrow('expected at most 64 levels of nesting, got more')
})

test('what is not JSON is refused', () => {
  for (const text of ['', '{"\\n":}', '{"a"', 'nul', '"\\x"'])
    expect(() => readJson(text, { what: 'row' })).toThrow('the row is not JSON')
})
