import { type Clock, type Listing, systemClock } from '@dataagent/guard'
import type { OwnToolContext } from '@dataagent/hub'
import type { Workspaces } from '../../../workspaces/index.ts'
import { ownerOf } from '../../owner-of.ts'
import { createPlaces } from '../../threads/places.ts'
import { startThread } from '../../threads/thread.ts'
import { createFileOpTracker } from '../file-op-tracker.ts'
import { editText, type FileEdit, type FileEdited } from './edit-text.ts'
import { type FindFiles, type FoundFiles, findFiles } from './find-files.ts'
import type { FileMeans } from './means.ts'
import { readText, type TextRead, type TextWindow } from './read-text.ts'
import { readWhole, type WholeFile } from './read-whole.ts'
import { removePath } from './remove-path.ts'
import { type FileSearch, type FoundMatches, searchFiles } from './search-files.ts'
import { type FileWritten, type NewContent, writeContent } from './write-content.ts'

export interface FileOperationsOptions {
  workspaces: Workspaces
  clock?: Clock | undefined
  /** How long one search may take. Default 10 s. */
  searchMs?: number | undefined
}

/**
 * What an agent does with the files of the caller's own workspace. Paths are the workspace's. What
 * is read and changed is told as `file_operation` events; what a run has read that nobody vouches
 * for is noted with the files that it writes, and taken over by the run that reads them. They throw
 * AppErrors, and the signal's reason.
 */
export interface FileOperations {
  readText(context: OwnToolContext, window: TextWindow): Promise<TextRead>
  readWhole(context: OwnToolContext, path: string): Promise<WholeFile>
  write(context: OwnToolContext, given: NewContent): Promise<FileWritten>
  edit(context: OwnToolContext, edit: FileEdit): Promise<FileEdited>
  remove(context: OwnToolContext, asked: { path: string; recursive: boolean }): Promise<void>
  list(context: OwnToolContext, asked: ListFiles): Promise<Listing>
  find(context: OwnToolContext, asked: FindFiles): Promise<FoundFiles>
  search(context: OwnToolContext, asked: FileSearch): Promise<FoundMatches>
}

export interface ListFiles {
  path: string
  recursive: boolean
  maxEntries: number
}

const overdue =
  'The search took too long and was stopped. Make the pattern simpler (regex: false is always ' +
  'fast), or search fewer files with path and glob'

/** Makes them. Searches of all callers together have four threads. */
export function createFileOperations(options: FileOperationsOptions): FileOperations {
  const { workspaces, clock = systemClock, searchMs: timeoutMs = 10_000 } = options
  const means: FileMeans = {
    workspaces,
    tracker: createFileOpTracker({ clock }),
    places: createPlaces(4),
    startPatternThread: (signal) =>
      startThread({ clock, signal, overdue, timeoutMs, memoryMb: 128 }),
  }
  return {
    readText: (context, window) => readText(means, context, window),
    readWhole: (context, path) => readWhole(means, context, path),
    write: (context, given) => writeContent(means, context, given),
    edit: (context, edit) => editText(means, context, edit),
    remove: (context, asked) => removePath(means, context, asked),
    async list(context, { path, ...bounds }) {
      const { signal } = context
      return await workspaces.use(ownerOf(context), (workspace) =>
        workspace.list(path, { ...bounds, signal }),
      )
    },
    find: (context, asked) => findFiles(means, context, asked),
    search: (context, asked) => searchFiles(means, context, asked),
  }
}
