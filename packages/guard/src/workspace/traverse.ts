import { isUtf8 } from 'node:buffer'
import type { Stats } from 'node:fs'
import { type EntryName, type HeldDir, namesIn } from './held-dir.ts'
import { hasCode } from './to-app-error.ts'

/** An entry that was met. `dir` is held only until the next one is asked for. */
export interface Found {
  dir: HeldDir
  name: EntryName
  /** Relative to where the walk began; bytes that are not UTF-8 show as U+FFFD. */
  path: string
  stats: Stats
  /** 1 for what is in the first directory. */
  depth: number
}

export interface TraverseOptions {
  /** Whether to go into a directory that was met. */
  descend(found: Found): boolean
  /** A directory could not be opened or has gone; the walk goes on without it. */
  skipped(found: Found): void
}

/** Walks a tree, each directory before what it holds. What vanishes meanwhile is passed over. */
export async function* traverse(
  dir: HeldDir,
  options: TraverseOptions,
  above: { path: string; depth: number } = { path: '', depth: 0 },
): AsyncGenerator<Found> {
  for await (const bytes of namesIn(dir)) {
    const stats = await dir.look(bytes).catch(ignoreGone)
    if (stats === undefined) continue
    const name = isUtf8(bytes) ? bytes.toString() : bytes
    const path = above.path === '' ? bytes.toString() : `${above.path}/${bytes}`
    const found = { dir, name, path, stats, depth: above.depth + 1 }
    yield found
    if (!stats.isDirectory() || !options.descend(found)) continue
    await using inner = await dir.openDir(name).catch(ignoreGone)
    if (inner === undefined) options.skipped(found)
    else yield* traverse(inner, options, found)
  }
}

function ignoreGone(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EAGAIN')) throw error
}
