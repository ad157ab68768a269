import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { PlatformOptions } from './contract.ts'
import { words } from './words.ts'

/** The key for a remote platform: of the file, of the flag, of the environment, in this order. */
export async function readApiKey(options: PlatformOptions): Promise<string | undefined> {
  const { env, cwd, lang, warn } = options
  const { apiKey, apiKeyFile } = options.options
  if (apiKeyFile !== undefined) return readKeyFile(resolve(cwd, apiKeyFile), options)
  if (apiKey === undefined) return env.DATAAGENT_API_KEY || undefined
  warn(words.keyVisible[lang])
  return apiKey
}

async function readKeyFile(path: string, { lang }: PlatformOptions): Promise<string> {
  const failed = (cause: NodeJS.ErrnoException) =>
    new Error(words.keyFileUnreadable(path, cause.code ?? '')[lang], { cause })
  const { mode } = await stat(path).catch((cause) => Promise.reject(failed(cause)))
  // Windows has no such bits: there they say nothing.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new Error(words.keyFileOpen(path)[lang])
  const text = await readFile(path, 'utf8').catch((cause) => Promise.reject(failed(cause)))
  const key = text.trim()
  if (key === '') throw new Error(words.keyFileEmpty(path)[lang])
  return key
}
