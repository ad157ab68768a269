import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import { ownerOf } from '../owner-of.ts'
import type { FileState } from './diff-of.ts'
import type { FileMeans } from './file-tools.ts'
import { filePath, writing } from './words.ts'

const input = z.object({
  path: filePath,
  recursive: z.boolean().default(false).describe('Whether a folder goes with all it holds'),
})

const nothing: FileState = { kind: 'absent' }

export function createDeleteFile({ workspaces, tracker }: FileMeans): OwnTool {
  return defineTool({
    name: 'delete_file',
    title: 'Delete a file',
    description: 'Deletes a file or an empty folder of the workspace; a full one with recursive.',
    ...writing,
    annotations: { ...writing.annotations, destructiveHint: true },
    input,
    run: ({ path, recursive }, context) =>
      workspaces.use(ownerOf(context), async (workspace) => {
        // Folders and links hold no text to tell of.
        const before = await tracker.stateOf(workspace, path).catch(() => nothing)
        await workspace.remove(path, { recursive })
        tracker.changed(context, { operation: 'delete', path, before, after: nothing })
        return `Deleted ${path}`
      }),
  })
}
