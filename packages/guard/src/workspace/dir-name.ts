import { createHash } from 'node:crypto'
import { AppError } from '@dataagent/schema/base'

/**
 * A directory name for an id that may hold any characters: no two ids share one, not even where the
 * file system ignores case. A plain id (`u_17`, `alice`) is its own name; any other keeps a
 * readable beginning and gets a digest after `~`, which plain names never hold.
 */
export function workspaceDirName(id: string): string {
  if (id === '') throw new AppError('invalid_request', 'An id must not be empty')
  if (isPlain(id)) return id
  const readable = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  // UTF-16, as UTF-8 would fold all lone surrogates into one.
  const digest = createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('hex')
  return `${readable}~${digest}`
}

function isPlain(id: string): boolean {
  if (/^(con|prn|aux|nul|com\d|lpt\d)$/.test(id)) return false
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(id)
}
