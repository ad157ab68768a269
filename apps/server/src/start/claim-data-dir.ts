import { join } from 'node:path'

/**
 * Whether no other server uses this data directory. Where it is so, it stays claimed until this
 * process ends, however it ends: the claim is SQLite's lock on a file, which the system lets go.
 */
export async function claimDataDir(path: string): Promise<boolean> {
  const { DatabaseSync } = await import('node:sqlite')
  try {
    const lock = new DatabaseSync(join(path, 'server.lock'))
    process.once('exit', () => lock.close())
    lock.exec('begin exclusive')
  } catch (error) {
    // Any other failure (a file system without locks) says nothing about a second server.
    return ((error as { errcode?: number }).errcode ?? 0) !== busy
  }
  return true
}

const busy = 5
