import { posix } from 'node:path'
import type { Clock, Workspace } from '@dataagent/guard'
import type { OwnToolContext } from '@dataagent/hub'
import { type FileOperationEvent, isAppError } from '@dataagent/schema'
import { comparedBytes, diffOf, type FileDiff, type FileState } from './diff-of.ts'
import { toUtf8 } from './text-of.ts'

type Told = Pick<OwnToolContext, 'emit' | 'tool_call_id'>

/** Follows what file tools do and tells of it, with the difference it made [D8.2, D5.6]. */
export interface FileOpTracker {
  /** A file as it is now, to be compared later. Reads no more than can be compared. */
  stateOf(workspace: Workspace, path: string): Promise<FileState>
  /** Tells of a file that was read. */
  read(context: Told, path: string): void
  /** Tells of a file that was changed, and gives the difference. */
  changed(context: Told, change: FileChange): FileDiff
}

export interface FileChange {
  operation: 'write' | 'edit' | 'delete'
  path: string
  before: FileState
  after: FileState
}

export function createFileOpTracker({ clock }: { clock: Clock }): FileOpTracker {
  function tell(
    { emit, tool_call_id }: Told,
    fields: Pick<FileOperationEvent, 'operation' | 'path'> & FileDiff,
  ): void {
    emit?.({
      ...{ event_type: 'file_operation', timestamp: Math.floor(clock.now()) },
      ...fields,
      path: posix.normalize(fields.path),
      ...(tool_call_id !== undefined && { tool_call_id }),
    })
  }

  return {
    stateOf,
    read: (context, path) =>
      tell(context, { operation: 'read', path, diff: '', additions: 0, deletions: 0 }),
    changed(context, { operation, path, before, after }) {
      const diff = diffOf(posix.normalize(path), before, after)
      tell(context, { operation, path, ...diff })
      return diff
    },
  }
}

async function stateOf(workspace: Workspace, path: string): Promise<FileState> {
  try {
    const { bytes } = await workspace.read(path, { maxBytes: comparedBytes })
    return toState(bytes)
  } catch (error) {
    if (isAppError(error, 'not_found')) return { kind: 'absent' }
    if (isAppError(error, 'too_large')) return await measure(workspace, path)
    throw error
  }
}

/** The state of a file with this content. */
export function toState(content: Uint8Array): FileState {
  const bytes = content.byteLength
  if (bytes > comparedBytes)
    return { kind: 'opaque', bytes, lines: countEnds(content), why: 'large' }
  const text = toUtf8(content)
  if (text !== undefined) return { kind: 'text', text }
  return { kind: 'opaque', bytes, lines: countEnds(content), why: 'binary' }
}

async function measure(workspace: Workspace, path: string): Promise<FileState> {
  const { stream, size } = await workspace.stream(path)
  let lines = 0
  for await (const chunk of stream) lines += countEnds(chunk)
  return { kind: 'opaque', bytes: size, lines, why: 'large' }
}

function countEnds(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count
}
