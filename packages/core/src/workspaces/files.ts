import type { Stats } from 'node:fs'
import { lstat, open, readdir, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError, isAppError } from '@dataagent/schema'

/** What is at a path of ours; undefined where nothing is. */
export async function look(path: string): Promise<Stats | undefined> {
  return await lstat(path).catch(unless('ENOENT', 'ENOTDIR'))
}

/** Names in a folder of ours; none where it does not exist. */
export async function namesIn(path: string): Promise<string[]> {
  return (await readdir(path).catch(unless('ENOENT', 'ENOTDIR'))) ?? []
}

/** Renames durably. False where a folder is there already, or nothing is left to rename. */
export async function renameUnlessThere(from: string, to: string): Promise<boolean> {
  const isDone = await rename(from, to)
    .then(() => true)
    .catch(unless('ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'))
  if (isDone) await Promise.all([...new Set([dirname(from), dirname(to)])].map(syncDir))
  return isDone === true
}

/** Makes what was changed in a folder survive a power loss, where the platform can. */
export async function syncDir(path: string): Promise<void> {
  await using handle = await open(path, 'r').catch(unless('EISDIR', 'EPERM', 'EACCES'))
  await handle?.sync().catch(unless('EINVAL', 'EPERM', 'EISDIR'))
}

/** Turns errors of these codes into undefined. */
function unless(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!codes.includes(code)) throw error
  }
}

/** What went wrong with the folder of a workspace; the message names no path of the host. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  return isFull
    ? new AppError('storage_full', 'The disk of the workspaces is full', { cause: error })
    : new AppError('unavailable', 'The workspace cannot be opened', { cause: error })
}
