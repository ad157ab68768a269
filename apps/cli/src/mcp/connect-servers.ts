import type { Link } from '../link/index.ts'
import { toPlainLine } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import type { FileServers } from './contract.ts'
import { usableServers } from './read-servers.ts'
import { words } from './words.ts'

/** What a server wrote before it ended may be long. */
const lineMax = 400

export interface ConnectOptions {
  link: Pick<Link, 'client' | 'user_id'>
  lang: Lang
  signal: AbortSignal
}

/**
 * Has the servers of the files connected, which else happens when a session first needs them.
 * Resolves when each has come or has failed, with one line for each that failed; never rejects.
 */
export async function connectServers(
  found: FileServers,
  { link, lang, signal }: ConnectOptions,
): Promise<string[]> {
  const { client, user_id } = link
  const wanted = new Set(usableServers(found).map(({ name }) => name))
  if (wanted.size === 0) return []
  const toLine = (name: string, problem: string) =>
    toPlainLine(words.notConnected(name, problem)[lang], lineMax)
  try {
    const { servers } = await client.userServers.list(user_id, { signal })
    const lines = servers
      .filter(({ name }) => wanted.has(name))
      .map(async ({ name, server_id }) => {
        const { statuses } = await client.servers.refresh(server_id, { signal })
        const failed = statuses.find(({ status }) => status === 'error')
        return failed ? [toLine(name, failed.message ?? '')] : []
      })
    return (await Promise.all(lines)).flat()
  } catch (error) {
    return signal.aborted ? [] : [toLine('', (error as Error).message)]
  }
}
