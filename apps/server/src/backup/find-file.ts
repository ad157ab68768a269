import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The path of something in the directory that is no empty folder, or that cannot be looked into.
 * Folders that volumes are mounted on cannot be removed: where they are empty they do not count,
 * nor does what a file system keeps for its own repair.
 */
export async function findFile(dir: string): Promise<string | undefined> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) return dir
  for (const entry of entries) {
    const path = join(dir, entry.name)
    if (!entry.isDirectory()) return path
    const found = entry.name === repairFolder ? undefined : await findFile(path)
    if (found !== undefined) return found
  }
  return undefined
}

/** Made by mkfs at the top of a disk, and open to root alone. */
export const repairFolder = 'lost+found'
