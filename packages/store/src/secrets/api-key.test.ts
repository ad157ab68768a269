import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apiKeyLookup, createApiKey, createToken, parseApiKey } from './api-key.ts'
import { toBase62 } from './base62.ts'

test('a new key has our form, a public id and a checksum that holds', () => {
  for (let i = 0; i < 500; i++) {
    const { key, key_id } = createApiKey()
    expect(key).toMatch(/^da_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
    expect(parseApiKey(key)).toEqual({ kind: 'key', key_id })
    expect(key).toContain(`_${key_id}_`)
  }
})

test('no two keys or tokens are the same', () => {
  const made = Array.from({ length: 2_000 }, () => [createApiKey().key_id, createToken()]).flat()
  expect(new Set(made).size).toBe(4_000)
  expect(Buffer.from(createToken(), 'base64url')).toHaveLength(32)
})

test('every single typing error, swap and cut is told from a wrong key', () => {
  const { key } = createApiKey()
  const characters = fc.constantFrom(...'0aZ_-9')
  const typo = fc.property(fc.nat(key.length - 1), characters, (at, character) => {
    const cases = [
      key.slice(0, at) + character + key.slice(at + 1),
      key.slice(0, at),
      key.slice(0, at) + key.slice(at + 1),
      key.slice(0, at) + character + key.slice(at),
      key.slice(0, at) + (key[at + 1] ?? '') + key[at] + key.slice(at + 2),
    ]
    for (const text of cases) if (text !== key) expect(parseApiKey(text).kind).not.toBe('key')
  })
  fc.assert(typo, { numRuns: longCount(300, 20_000) })
  expect(parseApiKey(`${key.slice(0, -1)}`)).toEqual({ kind: 'mistyped' })
})

test('a key that an administrator chose is neither ours nor mistyped', () => {
  expect(parseApiKey('a-long-key-of-their-own')).toEqual({ kind: 'other' })
  expect(parseApiKey('')).toEqual({ kind: 'other' })
})

test('the lookup is the SHA-256 of the key in hex', () => {
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  expect(apiKeyLookup('')).toBe(empty)
})

test('a number keeps its width in base 62', () => {
  expect([0, 61, 62, 2 ** 32 - 1].map((value) => toBase62(value, 6))).toEqual([
    '000000',
    '00000z',
    '000010',
    '4gfFC3',
  ])
})
