import type { OwnToolContext } from '@dataagent/hub'
import { ownerOf } from '../owner-of.ts'
import type { FileMeans } from './operations/means.ts'

type Caller = Pick<OwnToolContext, 'principal' | 'run'>

/**
 * Before a run writes a file: what it has read that nobody vouches for may be in there, and is as
 * doubtful for the run that reads it later.
 */
export async function noteOrigins(
  { workspaces }: Pick<FileMeans, 'workspaces'>,
  context: Caller,
  path: string,
): Promise<void> {
  const untrusted = context.run?.untrusted
  if (untrusted === undefined || untrusted.size === 0) return
  await workspaces.noteOrigins(ownerOf(context), path, untrusted)
}

/**
 * After files were read, and before the run is shown of them: it has then read what those had that
 * wrote them. Not earlier, as a file may be written meanwhile.
 */
export async function takeOrigins(
  { workspaces }: Pick<FileMeans, 'workspaces'>,
  context: Caller,
  paths: readonly string[],
): Promise<void> {
  if (context.run === undefined || paths.length === 0) return
  const origins = await workspaces.originsOf(ownerOf(context), paths)
  for (const server_id of origins) context.run.untrusted.add(server_id)
}
