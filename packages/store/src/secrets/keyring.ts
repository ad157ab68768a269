import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { AppError } from '@dataagent/schema'
import { decrypt, encrypt } from './aes-gcm.ts'
import { encodeParts } from './binding.ts'

/**
 * Wraps the keys of single records. The keyring does it with keys of its own; a key management
 * service can stand in for it.
 */
export interface KeyWrapper {
  /** The id of the key that `wrap` uses: letters, digits, `-` and `_`, at most 64. */
  readonly current: string
  /** May reject with `store_unavailable` where a service is asked. */
  wrap(key: Buffer): Promise<Buffer>
  /** Rejects with `secret_unreadable` when `kid` is unknown or `wrapped` is not as it was. */
  unwrap(kid: string, wrapped: Buffer): Promise<Buffer>
}

/** The master keys, held so that printing shows nothing of them. */
export interface Keyring extends KeyWrapper {
  /** Ids of all keys, the current one first, then the older ones that still open. */
  readonly kids: readonly string[]
  /** A key for one use, from the master key `kid`; undefined when there is none such. */
  derive(kid: string, use: KeyUse): KeyObject | undefined
}

export type KeyUse = 'wrap' | 'api-key' | 'token' | 'key-check'

export const masterKeyBytes = 32
const kidBytes = 8

/**
 * A keyring of 256-bit master keys: the first seals, the others only open what they sealed. Throws
 * `config_invalid` for no key, a key of another length, or the same twice.
 */
export function createKeyring(masterKeys: readonly Buffer[]): Keyring {
  const masters = new Map<string, KeyObject>()
  for (const bytes of masterKeys) {
    if (bytes.length !== masterKeyBytes) throw invalid('A master key has 32 bytes.')
    masters.set(expand(bytes, 'kid', kidBytes).toString('base64url'), createSecretKey(bytes))
  }
  const kids = [...masters.keys()]
  const [current] = kids
  if (current === undefined) throw invalid('There is no master key.')
  if (kids.length !== masterKeys.length) throw invalid('A master key is there twice.')

  const derived = new Map<string, KeyObject>()
  function derive(kid: string, use: KeyUse): KeyObject | undefined {
    const name = `${use} ${kid}`
    const master = masters.get(kid)
    if (master && !derived.has(name)) derived.set(name, createSecretKey(expand(master, use)))
    return derived.get(name)
  }

  return {
    current,
    kids,
    derive,
    wrap: async (key) => encrypt(derive(current, 'wrap') as KeyObject, key, wrapAad(current)),
    async unwrap(kid, wrapped) {
      const key = derive(kid, 'wrap')
      if (key === undefined) throw unknownKey(kid)
      return decrypt(key, wrapped, wrapAad(kid))
    },
  }
}

function expand(key: Buffer | KeyObject, use: string, bytes = masterKeyBytes): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `dataagent/v1/${use}`, bytes))
}

function wrapAad(kid: string): Buffer {
  return encodeParts(['v1', 'wrap', kid])
}

function unknownKey(kid: string): AppError {
  return new AppError(
    'secret_unreadable',
    `A stored secret was sealed with the master key "${kid}", which is not configured. Add it as an older key.`,
  )
}

function invalid(message: string): AppError {
  return new AppError('config_invalid', message)
}
