import type { OwnToolContext } from '@dataagent/hub'
import { ownerOf } from '../../owner-of.ts'
import type { FileState } from '../diff-of.ts'
import type { FileMeans } from './means.ts'

const nothing: FileState = { kind: 'absent' }

/** Deletes a file, a link or a folder, a full one where `recursive`. */
export async function removePath(
  { workspaces, tracker }: FileMeans,
  context: OwnToolContext,
  { path, recursive }: { path: string; recursive: boolean },
): Promise<void> {
  await workspaces.use(ownerOf(context), async (workspace) => {
    // Folders and links hold no text to tell of.
    const before = await tracker.stateOf(workspace, path).catch(() => nothing)
    await workspace.remove(path, { recursive })
    tracker.changed(context, { operation: 'delete', path, before, after: nothing })
  })
}
