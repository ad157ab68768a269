import type { Clock } from '../clock.ts'
import type { Exclusive } from './exclusive.ts'
import type { Gate } from './gate.ts'
import { type HeldDir, walkDirs } from './held-dir.ts'
import type { Ledger } from './ledger.ts'
import { parsePath } from './parse-path.ts'
import type { TempNames } from './temp-names.ts'
import { systemError, toAppError } from './to-app-error.ts'

/** What all verbs of one workspace stand on. */
export interface Base {
  root: HeldDir
  /** The file system of the root: what is on another is refused. */
  dev: number
  maxReadBytes: number
  maxWriteBytes: number
  fileMode: number
  dirMode: number
  ledger: Ledger
  exclusive: Exclusive
  clock: Clock
  gate: Gate
  tempNames: TempNames
}

/** Where a file or directory is, or is to be: a name in a held directory. */
export interface Spot {
  dir: HeldDir
  name: string
  /** The workspace path in one spelling, for `exclusive`. */
  key: string
}

/** Parses `path`, lets `work` run with its names, and translates what it throws. */
export function within<T>(
  base: Base,
  path: string,
  work: (names: string[]) => Promise<T>,
): Promise<T> {
  return base.gate.pass(async () => {
    try {
      return await work(parsePath(path))
    } catch (error) {
      throw toAppError(error, path)
    }
  })
}

/** Holds the directory that `path` is in while `work` runs. The root itself is in none: EISDIR. */
export function atSpot<T>(base: Base, path: string, work: (spot: Spot) => Promise<T>): Promise<T> {
  return within(base, path, async (names) => {
    const name = names.at(-1)
    if (name === undefined) throw systemError('EISDIR')
    await using dir = await walkDirs(base.root, names.slice(0, -1))
    return await work({ dir, name, key: toKey(names) })
  })
}

/** Over-folds where the file system does not: then two names share a queue, which does no harm. */
function toKey(names: string[]): string {
  return names.join('/').normalize('NFC').toLowerCase()
}
