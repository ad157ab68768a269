import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { AppError } from '@dataagent/schema'
import { apiKeyLookup } from './api-key.ts'
import type { Keyring } from './keyring.ts'

/**
 * An API key as it is stored. Neither a copy of these nor the right to write them gives a working
 * key.
 */
export interface HashedApiKey {
  /** SHA-256 of the key, for lookup. */
  hashed_api_key: string
  /** HMAC-SHA-256 of the key under a pepper that is not in the database. */
  key_mac: string
  /** Which pepper. */
  pepper_kid: string
}

/** Hashes API keys and tokens under peppers from the keyring: one for each master key and use. */
export interface Hasher {
  /**
   * For a key of our form or one an administrator chose. Throws `invalid_request` when shorter than
   * `shortestApiKey`.
   */
  hashSecret(key: string): HashedApiKey
  /**
   * Compares in constant time; never throws. `stale` is right too, but under an older pepper: store
   * `hashSecret` of it.
   */
  verifyApiKey(
    key: string,
    stored: Pick<HashedApiKey, 'key_mac' | 'pepper_kid'>,
  ): 'ok' | 'stale' | 'wrong'
  /** What a token is stored under; with a dump of it nobody has the token. */
  tokenHash(token: string): string
  /** What it may be stored under: by the current pepper first, then by older ones. */
  tokenHashes(token: string): string[]
}

/** Keys that administrators choose have at least this many characters. */
export const shortestApiKey = 16

/** Creates a hasher. With a new master key in front, stored MACs go on to verify, as `stale`. */
export function createHasher({ keyring }: { keyring: Keyring }): Hasher {
  function mac(kid: string, use: 'api-key' | 'token', text: string): Buffer {
    const pepper = keyring.derive(kid, use) as KeyObject
    return createHmac('sha256', pepper).update(text).digest()
  }

  return {
    hashSecret(key) {
      if (key.length < shortestApiKey) {
        const message = `An API key needs at least ${shortestApiKey} characters.`
        throw new AppError('invalid_request', message)
      }
      const pepper_kid = keyring.current
      const key_mac = mac(pepper_kid, 'api-key', key).toString('hex')
      return { hashed_api_key: apiKeyLookup(key), key_mac, pepper_kid }
    },
    verifyApiKey(key, { key_mac, pepper_kid }) {
      if (!keyring.kids.includes(pepper_kid)) return 'wrong'
      const expected = mac(pepper_kid, 'api-key', key)
      const stored = Buffer.from(key_mac, 'hex')
      if (stored.length !== expected.length || !timingSafeEqual(stored, expected)) return 'wrong'
      return pepper_kid === keyring.current ? 'ok' : 'stale'
    },
    tokenHash: (token) => mac(keyring.current, 'token', token).toString('base64url'),
    tokenHashes: (token) =>
      keyring.kids.map((kid) => mac(kid, 'token', token).toString('base64url')),
  }
}
