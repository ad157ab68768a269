import { exitCodes } from '../../args/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import type { Action } from './action.ts'
import { words } from './words.ts'

/** All words after the id are the title. */
export const renameSession: Action = async ({ client, ids }, { warn, lang }) => {
  const [id = '', ...rest] = ids
  const title = rest.join(' ').trim()
  if (title === '') {
    warn(words.needsTitle[lang])
    return exitCodes.usage
  }
  await client.sessions.update(id, { title })
  warn(words.renamed(toPlainLine(title))[lang])
  return exitCodes.ok
}
