import { statSync } from 'node:fs'
import { AppError } from '@dataagent/schema'
import type { SqlTarget } from '@dataagent/store/sql'

/**
 * Looks whether the path of a SQLite database still leads to the file that is there now. The check
 * throws `store_unavailable`: an open file that was deleted takes writes and loses them.
 */
export function createFileCheck(target: SqlTarget): () => void {
  if (target.kind !== 'sqlite' || target.path === ':memory:') return () => {}
  const { path } = target
  const opened = identify(path)
  return () => {
    const found = identify(path)
    if (found === opened) return
    const what = found === undefined ? 'deleted' : 'replaced'
    throw new AppError('store_unavailable', `the file was ${what}: ${path}; restart the server`)
  }
}

function identify(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}
