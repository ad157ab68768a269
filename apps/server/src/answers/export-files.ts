import { type ParsedPath, posix } from 'node:path'
import type { Workspaces } from '@dataagent/core'
import type { OutputFiles } from '@dataagent/data'
import type { Workspace } from '@dataagent/guard'
import { ownServerId, type Principal } from '@dataagent/hub'
import { AppError, isAppError } from '@dataagent/schema'

/** Exports go into the workspace of whoever asks, within its quota. None is written over. */
export function createExportFiles(
  workspaces: Pick<Workspaces, 'use' | 'noteOrigins'>,
): OutputFiles {
  return {
    async write({ tenant_id, user_id }: Principal, path, content, signal) {
      if (user_id === null) throw new AppError('forbidden', 'Only a user has a folder for exports.')
      const owner = { tenant_id, user_id }
      await workspaces.use(owner, async (workspace) => {
        if (await workspace.exists(path)) throw await toTaken(workspace, path)
      })
      // Whoever filled the table may have written anything into it.
      await workspaces.noteOrigins(owner, path, new Set([ownServerId]))
      return workspaces.use(owner, async (workspace) => {
        await workspace.makeDir('outputs')
        const bytes = await writeNew(workspace, path, untilAborted(content, signal))
        return { bytes }
      })
    },
  }
}

async function writeNew(
  workspace: Workspace,
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  try {
    const { size } = await workspace.write(path, content, { expect: 'absent' })
    return size
  } catch (error) {
    throw isAppError(error, 'conflict') ? await toTaken(workspace, path, error) : error
  }
}

async function toTaken(workspace: Workspace, path: string, cause?: unknown): Promise<AppError> {
  const free = await toFreeName(workspace, posix.parse(path))
  const told = `There is a file ${path} already. Give another name: ${free} is free.`
  return new AppError('conflict', told, { cause })
}

async function toFreeName(
  workspace: Pick<Workspace, 'exists'>,
  { dir, name, ext }: ParsedPath,
): Promise<string> {
  for (let number = 2; ; number += 1) {
    const numbered = `${[...name].slice(0, nameMax).join('')}-${number}`
    if (!(await workspace.exists(posix.join(dir, `${numbered}${ext}`)))) return numbered
  }
}

/** A name of 80 characters leaves no room for a number. */
const nameMax = 70

async function* untilAborted(content: AsyncIterable<Uint8Array>, signal: AbortSignal) {
  for await (const chunk of content) {
    signal.throwIfAborted()
    yield chunk
  }
}
