import { realpath } from 'node:fs/promises'
import { usableServers, warningsOf } from '../read-servers.ts'
import type { Action } from './contract.ts'
import { tell } from './tell.ts'
import { words } from './words.ts'

/** Reads the files again, and asks again about what was refused [D29.7]. */
export const reload: Action = async (_words, shell) => {
  const { lang, link, place, trust } = shell
  if (link.kind === 'remote') {
    tell(shell, 'info', words.remoteReload(link.url)[lang])
    return 0
  }
  await trust.forgetRefusals(await realpath(place.folder).catch(() => place.folder))
  const found = await shell.reload()
  for (const warning of warningsOf(found, lang)) tell(shell, 'warn', warning)
  tell(shell, 'good', words.reloaded(usableServers(found).length)[lang])
  return 0
}
