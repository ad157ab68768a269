import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '@dataagent/schema'
import type { Keyring } from './keyring.ts'

/**
 * A value to store beside the data: it tells at the next start whether the master key is the right
 * one.
 */
export function createKeyCheck(keyring: Keyring): string {
  return `v1.${keyring.current}.${checkValue(keyring, keyring.current)}`
}

/**
 * Whether the stored value is of the current master key, or of an older one (a rotation is not
 * finished: store a new value when it is). Throws `config_invalid` when it is of none: then nothing
 * may be written with this keyring.
 */
export function verifyKeyCheck(keyring: Keyring, stored: string): 'current' | 'older' {
  const [, kid = '', value = ''] = /^v1\.([\w-]+)\.([\w-]+)$/.exec(stored) ?? []
  if (!keyring.kids.includes(kid) || !isSame(value, checkValue(keyring, kid))) {
    throw new AppError(
      'config_invalid',
      `The master key is not the one that the stored secrets were sealed with (key "${kid}"; configured: ${keyring.kids.join(', ')}). Put that key back, or add it as an older key. Nothing was changed.`,
    )
  }
  return kid === keyring.current ? 'current' : 'older'
}

function checkValue(keyring: Keyring, kid: string): string {
  const key = keyring.derive(kid, 'key-check')
  return key ? createHmac('sha256', key).update('key-check').digest('base64url') : ''
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
