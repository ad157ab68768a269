import { posix } from 'node:path'
import { contentHash, type Expectation, type Workspace } from '@dataagent/guard'
import type { OwnToolContext } from '@dataagent/hub'
import { isAppError } from '@dataagent/schema'
import { ownerOf } from '../../owner-of.ts'
import type { FileDiff, FileState } from '../diff-of.ts'
import { toState } from '../file-op-tracker.ts'
import { noteOrigins } from '../file-origins.ts'
import type { FileMeans } from './means.ts'

export interface NewContent {
  path: string
  content: string | Uint8Array
}

export interface FileWritten extends FileDiff {
  /** Whether there was none before. */
  isNew: boolean
  bytes: number
}

const tries = 3

/** Creates a file, with the folders that it needs, or replaces it whole. */
export async function writeContent(
  means: FileMeans,
  context: OwnToolContext,
  given: NewContent,
): Promise<FileWritten> {
  return await means.workspaces.use(ownerOf(context), async (workspace) => {
    await workspace.makeDir(posix.dirname(posix.normalize(given.path)))
    await noteOrigins(means, context, given.path)
    return await write(means, workspace, { ...given, context })
  })
}

/** Once more where another was faster, so that the difference told is the one made. */
async function write(
  { tracker }: FileMeans,
  workspace: Workspace,
  { path, content, context }: NewContent & { context: OwnToolContext },
): Promise<FileWritten> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let attempt = 1; ; attempt++) {
    const before = await tracker.stateOf(workspace, path)
    try {
      await workspace.write(path, bytes, { ...expectationOf(before), signal: context.signal })
      const change = { operation: 'write', path, before, after: toState(bytes) } as const
      const isNew = before.kind === 'absent'
      return { isNew, bytes: bytes.byteLength, ...tracker.changed(context, change) }
    } catch (error) {
      if (!isAppError(error, 'conflict') || attempt === tries) throw error
    }
  }
}

function expectationOf(before: FileState): { expect?: Expectation } {
  if (before.kind === 'absent') return { expect: 'absent' }
  return before.kind === 'text' ? { expect: { sha256: contentHash(before.text) } } : {}
}
