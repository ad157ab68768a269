import { isAbsolute, relative } from 'node:path'
import { type Content, openWorkspace, type Workspace } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { leftAsIs } from '../words.ts'
import { formatBytes } from './format.ts'
import { notHere, replaceFile, savedAs } from './words.ts'

/** What was typed, as a path below the folder; whether it is there is told by `saveFile`. */
export function toFolderPath(typed: string, folder: string): string {
  return isAbsolute(typed) ? relative(folder, typed) : typed
}

/**
 * Writes a file of the folder; one that is there is only replaced where told to. What came of it is
 * told. `open` is asked for the content once it is wanted.
 */
export async function saveFile(
  app: App,
  file: string,
  open: () => Promise<Content>,
): Promise<void> {
  const { folder, lang, signal } = app
  await using workspace = await openWorkspace({ root: folder, fileMode: 0o644, dirMode: 0o755 })
  const isThere = await exists(workspace, file, app)
  if (isThere === undefined) return
  const shown = toPlainLine(file)
  if (isThere && !(await app.confirm(replaceFile(shown)[lang]))) {
    return app.tell('info', leftAsIs[lang])
  }
  const { size } = await workspace.write(file, await open(), {
    ...(isThere ? {} : { expect: 'absent' as const }),
    signal,
  })
  app.tell('good', savedAs(shown, formatBytes(size))[lang])
}

/** Undefined where the name leads out of the folder, which was told. */
async function exists(workspace: Workspace, file: string, app: App): Promise<boolean | undefined> {
  try {
    return await workspace.exists(file)
  } catch (error) {
    if (!isAppError(error, 'path_denied') && !isAppError(error, 'invalid_request')) throw error
    app.tell('warn', notHere(toPlainLine(file, 40))[app.lang])
    return undefined
  }
}
