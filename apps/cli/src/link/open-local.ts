import { randomBytes } from 'node:crypto'
import type { ServerConfigInput } from '@dataagent/schema'
import type { Link, LocalOptions } from './contract.ts'
import { startPlatform } from './local-platform.ts'

/**
 * Starts a platform of this process's own and resolves when it can do its work. Rejects with a
 * LinkError, or with the reason of the signal.
 */
export async function openLocal(options: LocalOptions): Promise<Link> {
  const apiKey = randomBytes(32).toString('base64url')
  // The client is loaded while the child starts.
  const loading = import('@dataagent/client')
  const starting = startPlatform({ ...options, apiKey })
  const [{ createClient }, platform] = await Promise.all([loading, starting])
  const { url, lost, order, stop } = platform
  try {
    const client = createClient({ baseUrl: url, apiKey })
    const given = { signal: options.signal }
    const [{ user_id }, { version }] = await Promise.all([
      client.identity.me(given),
      client.operations.health(given),
    ])
    return {
      ...{ kind: 'local', url, client, user_id, version, lost },
      setServers: (servers: readonly ServerConfigInput[]) =>
        order({ kind: 'set_servers', servers: structuredClone([...servers]) as never }),
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
