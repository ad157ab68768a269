import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256, toCanonicalJson } from './canonical-json.ts'

test('the order of keys does not matter, that of lists does', () => {
  expect(toCanonicalJson({ b: [2, 1], a: { d: 1, c: undefined } })).toBe('{"a":{"d":1},"b":[2,1]}')
  expect(toCanonicalJson({ a: [1, 2] })).not.toBe(toCanonicalJson({ a: [2, 1] }))
})

test('what it gives is the same JSON value', () => {
  const sameValue = (value: fc.JsonValue) => {
    const text = toCanonicalJson(value)
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    expect(toCanonicalJson(JSON.parse(text))).toBe(text)
  }
  fc.assert(fc.property(fc.jsonValue(), sameValue))
})

test('a key that names a prototype is a key', () => {
  const value = JSON.parse('{"__proto__":{"x":1},"a":2}')
  expect(toCanonicalJson(value)).toBe('{"__proto__":{"x":1},"a":2}')
})

test('a digest is 64 hexadecimal digits', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})
