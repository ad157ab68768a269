import { AppError, type ErrorCode, isAppError } from '@dataagent/schema/base'
import { quotePath } from './parse-path.ts'

/**
 * System error codes and what they mean for a workspace path. Some are thrown by us: see
 * `systemError`.
 */
const meanings: Record<string, [code: ErrorCode, message: string]> = {
  ENOENT: ['not_found', 'does not exist in the workspace'],
  ELOOP: [
    'path_denied',
    'is or goes through a symbolic link, which is never followed. Use the path of the file itself',
  ],
  EMLINK: [
    'path_denied',
    'has more than one name (a hard link), so is not opened. Make a copy and use that',
  ],
  ENXIO: ['path_denied', 'is not a regular file. The workspace opens only files and directories'],
  EXDEV: ['path_denied', 'is on another file system than the workspace'],
  EACCES: ['path_denied', 'is closed by its file permissions'],
  EPERM: ['path_denied', 'is closed by its file permissions'],
  EROFS: ['path_denied', 'cannot be changed: the workspace is read-only'],
  ENAMETOOLONG: ['path_denied', 'is too long for the file system'],
  EISDIR: ['invalid_request', 'is a directory. Name a file in it'],
  ENOTDIR: ['invalid_request', 'is not a directory, or goes through a file as if it were one'],
  EINVAL: ['invalid_request', 'cannot be used so: a directory cannot go into itself'],
  EEXIST: ['conflict', 'exists already. Choose another name, or ask to overwrite it'],
  ENOTEMPTY: ['conflict', 'is not empty. Remove it with all it holds, or empty it first'],
  EAGAIN: ['conflict', 'was being changed by someone else. Try again'],
  EFBIG: ['too_large', 'would be larger than the file system allows'],
  ENOSPC: ['storage_full', 'was not written: the disk is full. Nothing was changed'],
  EDQUOT: ['storage_full', 'was not written: the disk quota is used up. Nothing was changed'],
  EMFILE: ['unavailable', 'cannot be opened now: too many files are open. Try again'],
  ENFILE: ['unavailable', 'cannot be opened now: too many files are open. Try again'],
  EBUSY: ['unavailable', 'is in use. Try again'],
  ABORT_ERR: ['cancelled', 'was left as it was: the request was cancelled'],
}

type Meaning =
  | 'EAGAIN'
  | 'EEXIST'
  | 'EISDIR'
  | 'ELOOP'
  | 'EMLINK'
  | 'ENOENT'
  | 'ENOTDIR'
  | 'ENXIO'
  | 'EXDEV'

/**
 * An error like the system's own, for a refusal that the system did not make; `toAppError` gives it
 * its words.
 */
export function systemError(code: Meaning): Error {
  return Object.assign(new Error(code), { code })
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Throws `cancelled` when the signal says so. */
export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  throw new AppError('cancelled', 'The request was cancelled', { cause: signal.reason })
}

/**
 * Translates what a file operation threw. The message names the user's path only, never one of the
 * host.
 */
export function toAppError(error: unknown, path: string): AppError {
  if (isAppError(error)) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const [meaning, message] = meanings[code] ?? ['internal', 'could not be used']
  return new AppError(meaning, `${quotePath(path)} ${message}`, { cause: error })
}
