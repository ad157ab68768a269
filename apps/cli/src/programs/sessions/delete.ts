import { exitCodes } from '../../args/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { confirm } from '../confirm.ts'
import type { Action } from './action.ts'
import { words } from './words.ts'

/** Asks first; where nobody can be asked, `--yes` is needed. */
export const deleteSessions: Action = async ({ client, ids, flags }, context) => {
  const { warn, lang, stdin, stderr } = context
  const sessions = []
  for (const id of ids) sessions.push(await client.sessions.get(id))
  const nameOf = ({ title, session_id }: { title?: string; session_id: string }) =>
    toPlainLine(title ?? '', 60) || session_id
  if (!flags.has('yes')) {
    if (!stdin.isTTY || !stderr.isTTY) {
      warn(words.needsYes[lang])
      return exitCodes.usage
    }
    const question = words.confirmDelete(sessions.map(nameOf).join(', '))[lang]
    if (!(await confirm(question, { input: stdin, output: stderr }))) {
      warn(words.kept[lang])
      return exitCodes.cancelled
    }
  }
  for (const session of sessions) {
    await client.sessions.delete(session.session_id)
    warn(words.deleted(nameOf(session))[lang])
  }
  return exitCodes.ok
}
