import { defineTool, type OwnTool } from '@dataagent/hub'
import { AppError, isAppError } from '@dataagent/schema'
import { z } from 'zod'
import { ownerOf } from '../owner-of.ts'
import { toState } from './file-op-tracker.ts'
import { noteOrigins, takeOrigins } from './file-origins.ts'
import type { FileMeans } from './file-tools.ts'
import { replaceText } from './replace-text.ts'
import { binaryError, encodingOf, toUtf8 } from './text-of.ts'
import { filePath, writing } from './words.ts'

const input = z.object({
  path: filePath,
  old_string: z.string().describe('The passage to replace, exactly as it is in the file'),
  new_string: z.string().describe('What takes its place; empty to delete it'),
  replace_all: z.boolean().default(false).describe('Whether every such passage is replaced'),
})

export function createEditFile(means: FileMeans): OwnTool {
  const { workspaces, tracker } = means
  return defineTool({
    name: 'edit_file',
    title: 'Edit a file',
    description:
      'Replaces a passage of a text file in the workspace. old_string must be in the file exactly ' +
      'once, unless replace_all is set: read the file first.',
    ...writing,
    input,
    run: ({ path, ...replacement }, context) =>
      workspaces.use(ownerOf(context), async (workspace) => {
        await noteOrigins(means, context, path)
        let [before, after, count] = ['', '', 0]
        await workspace
          .edit(path, (content) => {
            before = toText(content, path)
            const replaced = replaceText(before, replacement)
            after = replaced.text
            count = replaced.count
            return after
          })
          .catch((error) => {
            throw withHint(error)
          })
          // What goes wrong is told with words of the file.
          .finally(() => takeOrigins(means, context, [path]))
        const { additions, deletions } = tracker.changed(context, {
          ...{ operation: 'edit', path },
          before: toState(Buffer.from(before)),
          after: toState(Buffer.from(after)),
        })
        const times = count === 1 ? '1 passage' : `${count} passages`
        return `Edited ${path}: ${times} replaced (+${additions} -${deletions} lines)`
      }),
  })
}

function toText(content: Buffer, path: string): string {
  const text = content.includes(0) ? undefined : toUtf8(content)
  if (text !== undefined) return text
  const encoding = encodingOf(content)
  if (encoding === undefined) throw binaryError(path)
  throw new AppError(
    'invalid_request',
    `The file is not UTF-8 (it seems to be ${encoding}), so it is not edited in place. ` +
      'Read it with read_file and write it anew with write_file',
  )
}

function withHint(error: unknown): unknown {
  if (!isAppError(error, 'not_found')) return error
  return new AppError('not_found', `${error.message}. Find it with list, or use write_file`)
}
