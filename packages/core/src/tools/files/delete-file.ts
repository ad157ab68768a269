import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import type { FileToolMeans } from './file-tools.ts'
import { filePath, writing } from './words.ts'

const input = z.object({
  path: filePath,
  recursive: z.boolean().default(false).describe('Whether a folder goes with all it holds'),
})

export function createDeleteFile({ files, changes }: FileToolMeans): OwnTool {
  return defineTool({
    name: 'delete_file',
    title: 'Delete a file',
    description: 'Deletes a file or an empty folder of the workspace; a full one with recursive.',
    ...writing,
    approval: changes,
    annotations: { ...writing.annotations, destructiveHint: true },
    input,
    async run(args, context) {
      await files.remove(context, args)
      return `Deleted ${args.path}`
    },
  })
}
