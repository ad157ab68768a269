import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders by their path below the root, with the number that tells one from another. */
export type Folders = ReadonlyMap<string, number>

const maxEntries = 100_000
const maxChanged = 1_000

/** The folders of a tree; undefined where there are too many to look at. */
export async function foldersUnder(root: string): Promise<Folders | undefined> {
  const folders = new Map<string, number>()
  const left = ['']
  while (left.length > 0) {
    for (const { path, ino } of await entriesIn(root, left.pop()!, (isFolder) => isFolder)) {
      folders.set(path, ino)
      left.push(path)
    }
    if (folders.size > maxEntries) return undefined
  }
  return folders
}

/**
 * Paths of files that were made, written or moved since, by the file system's own clock, and of
 * folders that are new in their place: all within them may be. Undefined where they are too many.
 */
export async function changedSince(
  root: string,
  { since, before }: { since: number; before: Folders },
): Promise<string[] | undefined> {
  const changed: string[] = []
  const left = ['']
  for (let seen = 0; left.length > 0; ) {
    const entries = await entriesIn(root, left.pop()!, () => true)
    seen += entries.length
    for (const { path, isFolder, ino, ctimeMs } of entries) {
      if (isFolder && before.get(path) === ino) left.push(path)
      else if (isFolder || ctimeMs >= since) changed.push(path)
    }
    if (seen > maxEntries || changed.length > maxChanged) return undefined
  }
  return changed
}

interface Entry {
  path: string
  isFolder: boolean
  ino: number
  /** Unlike the time of the last write, nobody can set it. */
  ctimeMs: number
}

async function entriesIn(
  root: string,
  folder: string,
  isWanted: (isFolder: boolean) => boolean,
): Promise<Entry[]> {
  const listed = await readdir(join(root, folder), { withFileTypes: true })
  const wanted = listed.filter((entry) => isWanted(entry.isDirectory()))
  return Promise.all(
    wanted.map(async ({ name }) => {
      const path = folder === '' ? name : `${folder}/${name}`
      const stats = await lstat(join(root, path))
      return { path, isFolder: stats.isDirectory(), ino: stats.ino, ctimeMs: stats.ctimeMs }
    }),
  )
}
