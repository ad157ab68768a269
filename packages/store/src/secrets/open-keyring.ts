import { AppError, isAppError } from '@dataagent/schema'
import { verifyKeyCheck } from './key-check.ts'
import { ensureKeyFile, parseMasterKeys, readKeyFile } from './key-file.ts'
import { createKeyring, type Keyring } from './keyring.ts'

export interface KeyringSource {
  /** A key file that the administrator made; goes before `value`. */
  file?: string | undefined
  /** Keys as text, as from the environment; goes before `makeAt`. */
  value?: string | undefined
  /**
   * The key file in the data directory: made at the first start when neither of the others is
   * given.
   */
  makeAt: string
  /** The stored key-check value; undefined only where nothing was ever sealed. */
  keyCheck: string | undefined
}

/**
 * The keyring to start with. Rejects with `config_invalid` when a key is missing, malformed, open
 * to others or, by the key-check value, not the one of this data: no key is made where data needs
 * one.
 */
export async function openKeyring(source: KeyringSource): Promise<Keyring> {
  const keyring = createKeyring(await findKeys(source))
  if (source.keyCheck !== undefined) verifyKeyCheck(keyring, source.keyCheck)
  return keyring
}

async function findKeys({ file, value, makeAt, keyCheck }: KeyringSource): Promise<Buffer[]> {
  if (file) return readKeyFile(file)
  if (value) return parseMasterKeys(value)
  if (keyCheck === undefined) return ensureKeyFile(makeAt)
  return readKeyFile(makeAt).catch((error) => {
    throw isMissing(error) ? missingKey(makeAt, error) : error
  })
}

function isMissing(error: unknown): boolean {
  return isAppError(error) && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
}

function missingKey(path: string, cause: unknown): AppError {
  const message = `The master key is missing: secrets are stored, but there is no ${path}. Put the file back, or configure the key.`
  return new AppError('config_invalid', message, { cause })
}
