import { type Clock, systemClock } from '@dataagent/guard'
import type { OwnTool } from '@dataagent/hub'
import type { Workspaces } from '../../workspaces/index.ts'
import { createPlaces, type Places } from '../threads/places.ts'
import { startThread, type Thread } from '../threads/thread.ts'
import { createDeleteFile } from './delete-file.ts'
import { createEditFile } from './edit-file.ts'
import { createFileOpTracker, type FileOpTracker } from './file-op-tracker.ts'
import { createGlob } from './glob.ts'
import { createGrep } from './grep.ts'
import { createListFiles } from './list-files.ts'
import { createReadFile } from './read-file.ts'
import { createWriteFile } from './write-file.ts'

export interface FileToolsOptions {
  workspaces: Workspaces
  clock?: Clock | undefined
  /** How long one search may take. Default 10 s. */
  searchMs?: number | undefined
}

/** What file tools stand on. */
export interface FileMeans {
  workspaces: Workspaces
  tracker: FileOpTracker
  /** For searches, which have a thread each. */
  places: Places
  startPatternThread(signal: AbortSignal): Thread
}

const overdue =
  'The search took too long and was stopped. Make the pattern simpler (regex: false is always ' +
  'fast), or search fewer files with path and glob'

/**
 * Tools for the files of the caller's own workspace: read_file, write_file, edit_file, delete_file,
 * list, glob, grep. What they do is told as `file_operation` events.
 */
export function createFileTools(options: FileToolsOptions): OwnTool[] {
  const { workspaces, clock = systemClock, searchMs = 10_000 } = options
  const means: FileMeans = {
    workspaces,
    tracker: createFileOpTracker({ clock }),
    places: createPlaces(4),
    startPatternThread: (signal) =>
      startThread({
        ...{ program: 'pattern-thread', clock, signal, overdue },
        ...{ timeoutMs: searchMs, memoryMb: 128 },
      }),
  }
  return [
    createReadFile(means),
    createWriteFile(means),
    createEditFile(means),
    createDeleteFile(means),
    createListFiles(means),
    createGlob(means),
    createGrep(means),
  ]
}
