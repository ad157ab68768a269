import type { OwnApproval, OwnTool } from '@dataagent/hub'
import { createDeleteFile } from './delete-file.ts'
import { createEditFile } from './edit-file.ts'
import { createGlob } from './glob.ts'
import { createGrep } from './grep.ts'
import { createListFiles } from './list-files.ts'
import {
  createFileOperations,
  type FileOperations,
  type FileOperationsOptions,
} from './operations/file-operations.ts'
import { createReadFile } from './read-file.ts'
import { createWriteFile } from './write-file.ts'

export interface FileToolsOptions extends FileOperationsOptions {
  /**
   * Whether a change of a file is asked about where no rule speaks of it. Default `allow`: a
   * workspace is there for the agent.
   */
  changes?: OwnApproval | undefined
}

/** What file tools stand on. */
export interface FileToolMeans {
  files: FileOperations
  changes: OwnApproval
}

/**
 * Tools for the files of the caller's own workspace: read_file, write_file, edit_file, delete_file,
 * list, glob, grep. What they do is told as `file_operation` events.
 */
export function createFileTools({ changes = 'allow', ...options }: FileToolsOptions): OwnTool[] {
  const means: FileToolMeans = { files: createFileOperations(options), changes }
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
