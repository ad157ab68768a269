import type { BigIntStats } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { type EntryName, type HeldDir, joinName } from './held-dir.ts'
import { systemError } from './to-app-error.ts'

/** Holds the directory at an absolute path, with links already resolved, by that path. */
export async function openCheckedDir(path: string): Promise<HeldDir> {
  return checkedDir(path, path, await lstat(path, { bigint: true }))
}

/**
 * For platforms without /proc. The promise is weaker than that of `procDir`: links are refused and
 * what was opened is compared with what the path names, but someone who exchanges directories at
 * the right microseconds, and back again, can get between two looks. Use it where nobody but this
 * program changes the workspace.
 */
function checkedDir(root: string, path: string, identity: BigIntStats): HeldDir {
  const base = path.endsWith(sep) ? path : path + sep
  const at = (name: EntryName) => joinName(base, name)

  async function confirm(): Promise<void> {
    const real = await realpath(path)
    if (!isWithin(root, real)) throw systemError('EAGAIN')
    if (!isSame(await lstat(real, { bigint: true }), identity)) throw systemError('EAGAIN')
  }

  return {
    at,
    confirm,
    async openDir(name) {
      const stats = await lstat(at(name), { bigint: true })
      if (stats.isSymbolicLink()) throw systemError('ELOOP')
      if (!stats.isDirectory()) throw systemError('ENOTDIR')
      const dir = checkedDir(root, join(base, name.toString()), stats)
      await dir.confirm()
      return dir
    },
    look: (name) => lstat(at(name)),
    async isNamed(file, name) {
      const opened = await file.stat({ bigint: true })
      await confirm()
      const named = await lstat(at(name), { bigint: true })
      await confirm()
      return isSame(named, opened)
    },
    sync: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
}

/** Whether `path` is `root` or below it; `/ws/u10` is not below `/ws/u1`. */
function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev
}
