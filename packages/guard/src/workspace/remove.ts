import type { Stats } from 'node:fs'
import { lstat, rename, rmdir, unlink } from 'node:fs/promises'
import { atSpot, type Base, type Spot, within } from './base.ts'
import { type EntryName, type HeldDir, namesIn } from './held-dir.ts'
import { freeLedger } from './ledger.ts'
import { isReservedName } from './temp-names.ts'
import { hasCode, stopIfAborted, systemError } from './to-app-error.ts'
import { type Found, traverse } from './traverse.ts'

export interface RemoveOptions {
  /** A directory with all it holds; default false: then it must be empty. */
  recursive?: boolean
}

export interface SweepOptions {
  /** Younger leftovers may be the work of another process; default one hour. */
  olderThanMs?: number
  signal?: AbortSignal
}

export interface Removes {
  /**
   * Removes a file, a link (never what it leads to) or a directory, which vanishes at once, however
   * much it holds.
   */
  remove(path: string, options?: RemoveOptions): Promise<void>
  /**
   * Removes what writes and removals of killed processes have left. The ledger is not told: see
   * `Ledger`.
   */
  sweep(options?: SweepOptions): Promise<{ removed: number }>
}

/** Deeper directories are first moved up, so that a removal holds few descriptors. */
const MAX_DEPTH = 32
const MAX_PASSES = 100
const HOUR = 3_600_000
const MAX_SWEEP_DEPTH = 256

export function createRemoves(base: Base): Removes {
  return {
    remove: (path, { recursive = false } = {}) =>
      atSpot(base, path, (spot) =>
        base.exclusive(spot.key, async () => {
          const stats = await lstat(spot.dir.at(spot.name))
          await spot.dir.confirm()
          if (!stats.isDirectory()) await removeFile(base, spot.dir, spot.name, stats)
          else if (stats.dev !== base.dev) throw systemError('EXDEV')
          else if (recursive) await removeDir(base, spot)
          else await rmdir(spot.dir.at(spot.name))
        }),
      ),

    sweep: ({ olderThanMs = HOUR, signal } = {}) =>
      within(base, '.', () => sweep(base, base.clock.now() - olderThanMs, signal)),
  }
}

async function removeFile(base: Base, dir: HeldDir, name: EntryName, stats: Stats): Promise<void> {
  await unlink(dir.at(name))
  if (stats.isFile()) await base.ledger.release(stats.size)
}

/** Moves the directory aside, so that it is gone at once, and then takes it apart. */
async function removeDir(base: Base, { dir, name }: Spot): Promise<void> {
  const aside = base.tempNames.take()
  try {
    await removeTrees(base, dir, await moveAside(dir, name, aside))
  } finally {
    base.tempNames.drop(aside)
  }
}

/** A full disk may have no room for the new name: then the directory goes under its own. */
async function moveAside(dir: HeldDir, name: string, aside: string): Promise<string> {
  try {
    await rename(dir.at(name), dir.at(aside))
    return aside
  } catch (error) {
    if (hasCode(error, 'ENOSPC', 'EDQUOT')) return name
    throw error
  }
}

async function removeTrees(base: Base, top: HeldDir, first: string): Promise<void> {
  const queue = [first]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    await removeTree({ base, top, queue }, { parent: top, name, depth: 1 })
  }
}

interface Removal {
  base: Base
  /** Where directories that lie too deep are moved to, and the names they got there. */
  top: HeldDir
  queue: string[]
}

interface Tree {
  parent: HeldDir
  name: EntryName
  depth: number
}

/** Others may fill or exchange what is being removed: it is emptied until it can go. */
async function removeTree(removal: Removal, tree: Tree): Promise<void> {
  for (let pass = 1; ; pass++) {
    await removeContent(removal, tree)
    try {
      return await rmdir(tree.parent.at(tree.name))
    } catch (error) {
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST') || pass === MAX_PASSES) throw error
    }
  }
}

async function removeContent(removal: Removal, tree: Tree): Promise<void> {
  await using parent = await tree.parent.openDir(tree.name)
  for await (const name of namesIn(parent)) {
    try {
      await removeEntry(removal, { parent, name, depth: tree.depth + 1 })
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP')) throw error
    }
  }
}

async function removeEntry(removal: Removal, { parent, name, depth }: Tree): Promise<void> {
  const { base, top, queue } = removal
  const stats = await lstat(parent.at(name))
  if (!stats.isDirectory()) return await removeFile(base, parent, name, stats)
  if (stats.dev !== base.dev) throw systemError('EXDEV')
  if (depth <= MAX_DEPTH) return await removeTree(removal, { parent, name, depth })
  const raised = base.tempNames.take()
  // Not known as live any more: should this removal fail, any sweep may finish it.
  base.tempNames.drop(raised)
  await rename(parent.at(name), top.at(raised))
  queue.push(raised)
}

async function sweep(base: Base, before: number, signal: AbortSignal | undefined) {
  const quiet = { ...base, ledger: freeLedger }
  const descend = (found: Found) =>
    found.stats.dev === base.dev && found.depth < MAX_SWEEP_DEPTH && !isLeftover(found)
  let removed = 0
  for await (const found of traverse(base.root, { descend, skipped: () => {} })) {
    stopIfAborted(signal)
    // A rename and a write both set the change time; the modification time of a directory stays on
    // a rename.
    if (!isLeftover(found) || base.tempNames.isLive(found.name)) continue
    if (found.stats.ctimeMs > before) continue
    await removeLeftover(quiet, found).catch((error) => {
      if (!hasCode(error, 'ENOENT')) throw error
    })
    removed++
  }
  return { removed }
}

async function removeLeftover(base: Base, found: Found & { name: string }): Promise<void> {
  const { dir, name, stats } = found
  if (stats.isDirectory()) await removeTrees(base, dir, name)
  else await removeFile(base, dir, name, stats)
}

function isLeftover(found: Found): found is Found & { name: string } {
  return typeof found.name === 'string' && isReservedName(found.name)
}
