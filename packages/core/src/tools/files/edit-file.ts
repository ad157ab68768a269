import { defineTool, type OwnTool } from '@dataagent/hub'
import { AppError, isAppError } from '@dataagent/schema'
import { z } from 'zod'
import type { FileToolMeans } from './file-tools.ts'
import { filePath, writing } from './words.ts'

const input = z.object({
  path: filePath,
  old_string: z.string().describe('The passage to replace, exactly as it is in the file'),
  new_string: z.string().describe('What takes its place; empty to delete it'),
  replace_all: z.boolean().default(false).describe('Whether every such passage is replaced'),
})

export function createEditFile({ files, changes }: FileToolMeans): OwnTool {
  return defineTool({
    name: 'edit_file',
    title: 'Edit a file',
    description:
      'Replaces a passage of a text file in the workspace. old_string must be in the file exactly ' +
      'once, unless replace_all is set: read the file first.',
    ...writing,
    approval: changes,
    input,
    async run(args, context) {
      const { count, additions, deletions } = await files.edit(context, args).catch((error) => {
        throw withHint(error)
      })
      const times = count === 1 ? '1 passage' : `${count} passages`
      return `Edited ${args.path}: ${times} replaced (+${additions} -${deletions} lines)`
    },
  })
}

function withHint(error: unknown): unknown {
  if (!isAppError(error, 'not_found')) return error
  return new AppError('not_found', `${error.message}. Find it with list, or use write_file`)
}
