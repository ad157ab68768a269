import { stat } from 'node:fs/promises'
import { isAddress, withoutPassword } from '../args/index.ts'
import type { Link } from '../link/index.ts'
import { toPlainLine } from '../ui/index.ts'
import { readApiKey } from './api-key.ts'
import type { PlatformOptions } from './contract.ts'
import { loadFileServers } from './file-servers.ts'
import { dataDirOf, folderOf, logFileOf, serverOf } from './places.ts'
import { words } from './words.ts'

/** The platform that was asked for, ready for use. Rejects with words for people. */
export async function openPlatform(options: PlatformOptions): Promise<Link> {
  const url = serverOf(options)
  return url === undefined ? openWithServers(options) : openNamed(url, options)
}

/** The same, without the servers of the MCP configuration files: who opens it sees to them. */
export async function openBarePlatform(options: PlatformOptions): Promise<Link> {
  const url = serverOf(options)
  return url === undefined ? openOwn(options) : openNamed(url, options)
}

async function openWithServers(options: PlatformOptions): Promise<Link> {
  const link = await openOwn(options)
  try {
    for (const warning of await loadFileServers(link, options)) options.warn(toPlainLine(warning))
    return link
  } catch (error) {
    await link[Symbol.asyncDispose]()
    throw error
  }
}

async function openNamed(url: string, options: PlatformOptions): Promise<Link> {
  const { lang, warn, signal } = options
  if (!isAddress(url)) throw new Error(words.badAddress(withoutPassword(url))[lang])
  const apiKey = await readApiKey(options)
  if (apiKey !== undefined && isInClear(url)) warn(words.keyInClear(new URL(url).host)[lang])
  const { openRemote } = await import('../link/index.ts')
  return openRemote({ url, apiKey, signal, lang })
}

async function openOwn(options: PlatformOptions): Promise<Link> {
  const folder = folderOf(options)
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new Error(words.noFolder(folder)[options.lang])
  const { openLocal } = await import('../link/index.ts')
  return openLocal({
    folder,
    dataDir: dataDirOf(options),
    env: withoutOurs(options.env),
    logFile: logFileOf(options),
    signal: options.signal,
    lang: options.lang,
  })
}

/** Variables that speak to the terminal: a platform would not know them. */
function withoutOurs(env: PlatformOptions['env']): PlatformOptions['env'] {
  const { DATAAGENT_SERVER: _server, DATAAGENT_API_KEY: _key, ...rest } = env
  return rest
}

function isInClear(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
