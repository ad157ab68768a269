import { posix } from 'node:path'
import { contentHash, type Expectation, type Workspace } from '@dataagent/guard'
import { defineTool, type OwnTool, type OwnToolContext } from '@dataagent/hub'
import { isAppError } from '@dataagent/schema'
import { z } from 'zod'
import { ownerOf } from '../owner-of.ts'
import type { FileState } from './diff-of.ts'
import { toState } from './file-op-tracker.ts'
import { noteOrigins } from './file-origins.ts'
import type { FileMeans } from './file-tools.ts'
import { filePath, writing } from './words.ts'

const input = z.object({
  path: filePath,
  content: z.string().describe('The whole new content'),
})

const tries = 3

export function createWriteFile(means: FileMeans): OwnTool {
  return defineTool({
    name: 'write_file',
    title: 'Write a file',
    description:
      'Creates a text file in the workspace, or replaces it whole; folders are made as needed. ' +
      'To change a part of a file use edit_file.',
    ...writing,
    idempotent: true,
    input,
    run: (args, context) =>
      means.workspaces.use(ownerOf(context), async (workspace) => {
        await workspace.makeDir(posix.dirname(posix.normalize(args.path)))
        await noteOrigins(means, context, args.path)
        return await write(means, workspace, { ...args, context })
      }),
  })
}

interface Writing extends z.output<typeof input> {
  context: OwnToolContext
}

/** Once more where another was faster, so that the difference told is the one made. */
async function write(
  { tracker }: FileMeans,
  workspace: Workspace,
  { path, content, context }: Writing,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const before = await tracker.stateOf(workspace, path)
    try {
      await workspace.write(path, content, { ...expectationOf(before), signal: context.signal })
      const after = toState(Buffer.from(content))
      const { additions, deletions } = tracker.changed(context, {
        ...{ operation: 'write', path, before, after },
      })
      const verb = before.kind === 'absent' ? 'Created' : 'Replaced'
      return `${verb} ${path}: ${Buffer.byteLength(content)} bytes (+${additions} -${deletions} lines)`
    } catch (error) {
      if (!isAppError(error, 'conflict') || attempt === tries) throw error
    }
  }
}

function expectationOf(before: FileState): { expect?: Expectation } {
  if (before.kind === 'absent') return { expect: 'absent' }
  return before.kind === 'text' ? { expect: { sha256: contentHash(before.text) } } : {}
}
