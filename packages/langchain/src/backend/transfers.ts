import type { FileOperations } from '@dataagent/core'
import type { OwnToolContext } from '@dataagent/hub'
import { isAppError } from '@dataagent/schema'
import type { BackendProtocolV2, FileDownloadResponse, FileUploadResponse } from 'deepagents'
import { attempt } from './attempt.ts'
import { toPath } from './virtual-path.ts'

type Transfers = Required<Pick<BackendProtocolV2, 'uploadFiles' | 'downloadFiles'>>
type TransferError = NonNullable<FileUploadResponse['error']>

/** The methods by which middlewares keep files of their own, several at once. */
export function createTransfers(files: FileOperations, contextOf: () => OwnToolContext): Transfers {
  return {
    async uploadFiles(given) {
      const context = contextOf()
      const responses: FileUploadResponse[] = []
      for (const [path, content] of given) {
        const work = async () => {
          await files.write(context, { path: toPath(path), content })
          return { path, error: null }
        }
        const toResult = (error: unknown) => ({ path, error: codeOf(error) })
        responses.push(await attempt(context, work, toResult))
      }
      return responses
    },

    async downloadFiles(paths) {
      const context = contextOf()
      const responses: FileDownloadResponse[] = []
      for (const path of paths) {
        const work = async () => {
          const { bytes } = await files.readWhole(context, toPath(path))
          return { path, content: new Uint8Array(bytes), error: null }
        }
        const toResult = (error: unknown) => ({ path, content: null, error: codeOf(error) })
        responses.push(await attempt(context, work, toResult))
      }
      return responses
    },
  }
}

/** DeepAgents has but four: what is full, or too large, is not permitted either. */
function codeOf(error: unknown): TransferError {
  if (isAppError(error, 'not_found')) return 'file_not_found'
  if (isAppError(error, 'path_denied')) return 'invalid_path'
  if (!isAppError(error, 'invalid_request')) return 'permission_denied'
  return isFolder(error.cause) ? 'is_directory' : 'invalid_path'
}

function isFolder(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'EISDIR'
}
