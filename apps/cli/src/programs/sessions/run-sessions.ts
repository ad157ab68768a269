import { exitCodes } from '../../args/index.ts'
import { openPlatform } from '../../platform/index.ts'
import type { Program } from '../contract.ts'
import type { Action } from './action.ts'
import { deleteSessions } from './delete.ts'
import { exportSession } from './export.ts'
import { listSessions } from './list.ts'
import { renameSession } from './rename.ts'
import { showSession } from './show.ts'
import { words } from './words.ts'

const actions: Readonly<Record<string, Action>> = {
  list: listSessions,
  show: showSession,
  export: exportSession,
  rename: renameSession,
  delete: deleteSessions,
}

/** `dataagent sessions [ACTION]`. */
export const runSessions: Program = async ({ words: said, flags }, context) => {
  const [name = 'list', ...ids] = said
  const action = actions[name]!
  if (name !== 'list' && ids.length === 0) {
    context.warn(words.needsId(name)[context.lang])
    return exitCodes.usage
  }
  await using link = await openPlatform(context)
  // The link is closed when this returns: not before it is done.
  return await action({ client: link.client, ids, flags }, context)
}
