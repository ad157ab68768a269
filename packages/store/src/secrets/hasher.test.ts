import { createHash, createHmac, randomBytes } from 'node:crypto'
import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createApiKey, createToken } from './api-key.ts'
import { createHasher } from './hasher.ts'
import { createKeyring } from './keyring.ts'

const master = randomBytes(32)
const hasher = createHasher({ keyring: createKeyring([master]) })

test('a key verifies against its own row and no other, whoever chose it', () => {
  const keys = fc.oneof(
    fc.string({ minLength: 16 }),
    fc.constant(undefined).map(() => createApiKey().key),
  )
  const right = fc.property(keys, keys, (key, other) => {
    const stored = hasher.hashSecret(key)
    expect(hasher.verifyApiKey(key, stored)).toBe('ok')
    if (other !== key) expect(hasher.verifyApiKey(other, stored)).toBe('wrong')
    expect(hasher.verifyApiKey(`${key} `, stored)).toBe('wrong')
  })
  fc.assert(right, { numRuns: longCount(300, 10_000) })
})

test('whoever can write rows but lacks the master key cannot plant a working one [T61]', () => {
  const planted = createApiKey().key
  const sha = createHash('sha256').update(planted).digest('hex')
  const { pepper_kid } = hasher.hashSecret(createApiKey().key)
  const guesses = [
    sha,
    createHmac('sha256', pepper_kid).update(planted).digest('hex'),
    createHmac('sha256', '').update(planted).digest('hex'),
    createHasher({ keyring: createKeyring([randomBytes(32)]) }).hashSecret(planted).key_mac,
    '',
    'zz',
    sha.slice(0, 32),
  ]
  for (const key_mac of guesses) {
    expect(hasher.verifyApiKey(planted, { key_mac, pepper_kid })).toBe('wrong')
    expect(hasher.verifyApiKey(planted, { key_mac, pepper_kid: 'other' })).toBe('wrong')
    expect(hasher.verifyApiKey(planted, { key_mac, pepper_kid: '__proto__' })).toBe('wrong')
  }
})

test('a stored key holds nothing of the key itself [T61]', () => {
  const { key } = createApiKey()
  const stored = JSON.stringify(hasher.hashSecret(key))
  expect(stored).not.toContain(key.split('_')[2])
  expect(Object.keys(hasher.hashSecret(key))).toEqual(['hashed_api_key', 'key_mac', 'pepper_kid'])
})

test('under a new pepper old rows verify as stale, and as ok once stored anew', () => {
  const { key } = createApiKey()
  const stored = hasher.hashSecret(key)
  const rotated = createHasher({ keyring: createKeyring([randomBytes(32), master]) })
  expect(rotated.verifyApiKey(key, stored)).toBe('stale')
  expect(rotated.verifyApiKey(createApiKey().key, stored)).toBe('wrong')
  const anew = rotated.hashSecret(key)
  expect(rotated.verifyApiKey(key, anew)).toBe('ok')
  expect(anew.hashed_api_key).toBe(stored.hashed_api_key)
  expect(anew.key_mac).not.toBe(stored.key_mac)
})

test('a chosen key that is too short is refused', () => {
  expect(() => hasher.hashSecret('x'.repeat(15))).toThrow('at least 16')
  expect(hasher.verifyApiKey('short', hasher.hashSecret('x'.repeat(16)))).toBe('wrong')
})

test('a token is stored under its keyed hash, and still found after a rotation', () => {
  const token = createToken()
  const hash = hasher.tokenHash(token)
  expect(hash).toMatch(/^[\w-]{43}$/)
  expect(hash).not.toBe(createHash('sha256').update(token).digest('base64url'))
  expect(hasher.tokenHash(createToken())).not.toBe(hash)
  expect(hasher.hashSecret(token).key_mac).not.toBe(Buffer.from(hash, 'base64url').toString('hex'))
  const rotated = createHasher({ keyring: createKeyring([randomBytes(32), master]) })
  expect(rotated.tokenHashes(token)).toEqual([rotated.tokenHash(token), hash])
})
