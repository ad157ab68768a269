import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import { ownerOf } from '../owner-of.ts'
import type { FileMeans } from './file-tools.ts'
import { filePath, writing } from './words.ts'

const input = z.object({
  path: filePath,
  recursive: z.boolean().default(false).describe('Whether a folder goes with all it holds'),
})

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
        const entries = await workspace.list(path, { maxEntries: 1 }).catch(() => undefined)
        const isFolder = entries !== undefined
        const before = isFolder
          ? undefined
          : await tracker.stateOf(workspace, path).catch(() => undefined)
        await workspace.remove(path, { recursive })
        const state = before ?? { kind: 'opaque', bytes: 0, lines: 0, why: 'binary' }
        tracker.changed(context, {
          ...{ operation: 'delete', path, before: state, after: { kind: 'absent' } },
        })
        return `Deleted ${path}`
      }),
  })
}
