import { isClientError } from '@dataagent/client'
import type { ServerConfigInput } from '@dataagent/schema'
import { userFileOf } from '../place.ts'
import { addServer } from '../write-servers.ts'
import type { McpShell } from './contract.ts'
import { tell } from './tell.ts'
import { words } from './words.ts'

/**
 * Keeps a server for the person: in their file, or at a remote platform. Whether it did; why not is
 * told. Of a file nothing is used before the next reload.
 */
export async function storeServer(config: ServerConfigInput, shell: McpShell): Promise<boolean> {
  const status = await (shell.link.kind === 'local' ? intoFile : toPlatform)(config, shell)
  const { lang } = shell
  if (status === 'written') tell(shell, 'good', words.changed.add(config.name)[lang])
  else if (status === 'taken') tell(shell, 'bad', words.taken(config.name)[lang])
  else tell(shell, 'bad', words.noUserFile[lang])
  return status === 'written'
}

/** A remote platform has it already. */
export async function reloadFiles(shell: McpShell): Promise<void> {
  if (shell.link.kind === 'local') await shell.reload()
}

async function intoFile(config: ServerConfigInput, { place }: McpShell) {
  const path = userFileOf(place)
  return path === undefined ? 'missing' : (await addServer(path, config)).status
}

async function toPlatform(config: ServerConfigInput, { link, signal }: McpShell) {
  try {
    await link.client.userServers.create(link.user_id, config, { signal })
    return 'written'
  } catch (error) {
    if (isClientError(error, 'conflict')) return 'taken'
    throw error
  }
}
