import type { Clock, Workspace } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema'
import type { FactList } from './contract.ts'

interface Listing {
  /** That of the folder, which changes with every file that comes or goes. */
  mtimeMs: number
  /** Since when that time is known; changes within one tick of the file system share it. */
  seenAt: number
  readAt: number
  list: FactList
}

/** A listing made this long after its folder's time was seen has all changes of that time. */
const settledMs = 2000
const listingsMax = 1000

/**
 * Listings of folders, read again when the folder has changed: a look at a folder costs far less
 * than one at each of its files. For folders whose files never change.
 */
export function createKeptListings({ workspace, clock }: { workspace: Workspace; clock: Clock }) {
  const kept = new Map<string, Listing>()

  return async function listingOf(folder: string, read: () => Promise<FactList>) {
    const mtimeMs = await timeOf(workspace, folder)
    if (mtimeMs === undefined) return { facts: [], damaged: 0 }
    const known = kept.get(folder)
    const isSame = known?.mtimeMs === mtimeMs
    if (isSame && known.readAt - known.seenAt >= settledMs) return known.list
    const now = clock.monotonic()
    const list = await read()
    if (kept.size >= listingsMax) kept.clear()
    kept.set(folder, { mtimeMs, seenAt: isSame ? known.seenAt : now, readAt: now, list })
    return list
  }
}

/** Undefined where there is no such folder. */
async function timeOf(workspace: Workspace, folder: string): Promise<number | undefined> {
  try {
    return (await workspace.stat(folder)).mtimeMs
  } catch (error) {
    if (isAppError(error, 'not_found')) return undefined
    throw error
  }
}
