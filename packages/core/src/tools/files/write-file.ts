import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import type { FileToolMeans } from './file-tools.ts'
import { filePath, writing } from './words.ts'

const input = z.object({
  path: filePath,
  content: z.string().describe('The whole new content'),
})

export function createWriteFile({ files, changes }: FileToolMeans): OwnTool {
  return defineTool({
    name: 'write_file',
    title: 'Write a file',
    description:
      'Creates a text file in the workspace, or replaces it whole; folders are made as needed. ' +
      'To change a part of a file use edit_file.',
    ...writing,
    approval: changes,
    idempotent: true,
    input,
    async run(args, context) {
      const { isNew, bytes, additions, deletions } = await files.write(context, args)
      const verb = isNew ? 'Created' : 'Replaced'
      return `${verb} ${args.path}: ${bytes} bytes (+${additions} -${deletions} lines)`
    },
  })
}
