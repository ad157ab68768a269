import { lstat, mkdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { workspaceDirName } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'

/** Longer than any id of ours. */
const idMax = 256

/**
 * Makes `{root}/agents/{assistant_id}` [D6.3]. An id that is no plain name gets a folder name of
 * its own, so that none leads elsewhere and no two share one. A link in its place is refused.
 */
export async function ensureAgentDir(root: string, assistantId: string): Promise<string> {
  if (!isAbsolute(root)) throw new AppError('config_invalid', 'The root of agents must be absolute')
  if (assistantId.length > idMax) {
    throw new AppError('invalid_request', `An assistant_id has at most ${idMax} characters`)
  }
  const path = join(root, 'agents', workspaceDirName(assistantId))
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new AppError('unavailable', "The agent's folder cannot be made", { cause })
  }
  if ((await lstat(path)).isDirectory()) return path
  throw new AppError('path_denied', "In place of the agent's folder there is something else")
}
