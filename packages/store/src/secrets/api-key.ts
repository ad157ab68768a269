import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from './base62.ts'

const keyIdLength = 12
/** 43 of 62 characters hold 256 bits. */
const secretLength = 43
const checksumLength = 6
const keyPattern = new RegExp(
  `^(da_([0-9A-Za-z]{${keyIdLength}})_[0-9A-Za-z]{${secretLength}})_([0-9A-Za-z]{${checksumLength}})$`,
)

/** What a text that should be an API key is, told without asking any store. */
export type ParsedApiKey =
  | { kind: 'key'; key_id: string }
  /** Meant as one of ours, and mistyped or cut. */
  | { kind: 'mistyped' }
  /** Not of our form; may still be a key that an administrator chose. */
  | { kind: 'other' }

/** A new key `da_<key_id>_<secret>_<checksum>` with 256 random bits. `key_id` is public. */
export function createApiKey(): { key: string; key_id: string } {
  const key_id = randomBase62(keyIdLength)
  const body = `da_${key_id}_${randomBase62(secretLength)}`
  return { key: `${body}_${checksum(body)}`, key_id }
}

/** Reads a key's form and checksum; says nothing about whether it is valid. */
export function parseApiKey(text: string): ParsedApiKey {
  const [, body, key_id, sum] = keyPattern.exec(text) ?? []
  if (body !== undefined && key_id !== undefined && sum === checksum(body)) {
    return { kind: 'key', key_id }
  }
  return { kind: text.startsWith('da_') ? 'mistyped' : 'other' }
}

/** SHA-256 in hex: finds the row of a key. That the key is right only the keyed MAC tells. */
export function apiKeyLookup(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** An opaque token with 256 random bits: a session, a code, an approval. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

function checksum(body: string): string {
  return toBase62(crc32(body), checksumLength)
}
