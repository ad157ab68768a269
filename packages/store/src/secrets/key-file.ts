import { randomBytes } from 'node:crypto'
import { link, mkdir, open, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '@dataagent/schema'
import { masterKeyBytes } from './keyring.ts'

const longestKeyFile = 16_384

/**
 * Master keys from text: base64 of 32 bytes each, apart by commas or white space, the current one
 * first. Throws `config_invalid` without showing it.
 */
export function parseMasterKeys(text: string): Buffer[] {
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map(parseMasterKey)
}

/**
 * Master keys from a file, as `parseMasterKeys`. Rejects with `config_invalid` when it cannot be
 * read, or when anybody but its owner can read it.
 */
export async function readKeyFile(path: string): Promise<Buffer[]> {
  try {
    await using file = await open(path)
    const { mode, size } = await file.stat()
    if (process.platform !== 'win32' && mode & 0o077) throw tooOpen(path)
    if (size > longestKeyFile) throw new AppError('config_invalid', `${path} is no key file.`)
    return parseMasterKeys(await file.readFile('utf8'))
  } catch (error) {
    if (error instanceof AppError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new AppError('config_invalid', `The key file ${path} cannot be read: ${code}.`, {
      cause: error,
    })
  }
}

/**
 * Makes a key file (mode 0600, on disk before it has its name) unless there is one, and gives the
 * keys of the file that holds: of processes that start together all get the same.
 */
export async function ensureKeyFile(path: string): Promise<Buffer[]> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await writeSynced(draft, `${randomBytes(masterKeyBytes).toString('base64')}\n`)
    await link(draft, path).catch(unlessPresent)
  } finally {
    await unlink(draft)
  }
  await syncDirectory(dirname(path))
  return readKeyFile(path)
}

function parseMasterKey(word: string): Buffer {
  const key = Buffer.from(word, 'base64')
  if (!/^[\w+/-]{43}=?$/.test(word) || key.length !== masterKeyBytes) {
    throw new AppError(
      'config_invalid',
      'A master key is the base64 of 32 bytes. Make one with: openssl rand -base64 32',
    )
  }
  return key
}

async function writeSynced(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(text)
  await file.sync()
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  await using directory = await open(path)
  await directory.sync()
}

function unlessPresent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

function tooOpen(path: string): AppError {
  return new AppError(
    'config_invalid',
    `The key file ${path} can be read by others. Allow its owner only: chmod 600 ${path}`,
  )
}
