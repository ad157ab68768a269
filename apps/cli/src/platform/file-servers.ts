import type { Link } from '../link/index.ts'
import type { PlatformOptions } from './contract.ts'
import { folderOf } from './places.ts'

/**
 * Has a local platform run the servers of the MCP configuration files. Nobody is asked: those of a
 * project that nobody agreed to are left out. Gives what is wrong with them, a line each.
 */
export async function loadFileServers(link: Link, given: PlatformOptions): Promise<string[]> {
  const { createTrustStore, loadServers, warningsOf } = await import('../mcp/index.ts')
  const { options, env, home, lang } = given
  const found = await loadServers({
    ...{ link, env, home, lang, flags: options },
    assistant_id: options.assistant_id ?? 'default',
    folder: folderOf(given),
    trust: createTrustStore({ home }),
  })
  return warningsOf(found, lang)
}
