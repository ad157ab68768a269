import { constants, type Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { access, lstat, open, readlink } from 'node:fs/promises'
import { type EntryName, type HeldDir, joinName } from './held-dir.ts'
import { hasCode, systemError } from './to-app-error.ts'

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
const DIRECTORY = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK
/** O_PATH, which Node does not name: holds a file without opening it. */
const HOLD_ONLY = 0o10000000 | O_NOFOLLOW
const TRIES = 64
/** Longer than any look takes. */
const RECENT_MS = 5_000

/** Whether directories can be held by descriptor: Linux with /proc. */
export async function canHoldByDescriptor(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  return access('/proc/self/fd').then(
    () => true,
    () => false,
  )
}

/** Holds the directory at an absolute path by descriptor. */
export async function openProcDir(path: string): Promise<HeldDir> {
  return procDir(await open(path, DIRECTORY))
}

/**
 * `/proc/self/fd/N` leads to the very directory that N holds, whatever its path has become, so each
 * step looks up one name in a directory nobody can exchange, and O_NOFOLLOW keeps that name from
 * being a link: between check and use there is no time.
 */
function procDir(handle: FileHandle): HeldDir {
  const base = `/proc/self/fd/${handle.fd}/`
  const at = (name: EntryName) => joinName(base, name)

  return {
    at,
    async openDir(name) {
      try {
        return procDir(await open(at(name), DIRECTORY))
      } catch (error) {
        // Linux says ENOTDIR for a link as well.
        if (hasCode(error, 'ENOTDIR') && (await lstat(at(name))).isSymbolicLink()) {
          throw systemError('ELOOP')
        }
        throw error
      }
    },
    async look(name) {
      const stats = await lstat(at(name))
      return isSettled(stats) ? stats : await lookClosely(at(name), name)
    },
    isNamed,
    confirm: async () => {},
    sync: () => handle.sync(),
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

/** A removed file reads "/its/path (deleted)". */
async function isNamed(file: FileHandle, name: EntryName): Promise<boolean> {
  return (await readlink(`/proc/self/fd/${file.fd}`)).endsWith(`/${name}`)
}

/**
 * A hard link that is removed between the kernel's finding it and its counting names looks like a
 * file with one name. Removing it also sets the change time: a file whose own is older was not
 * caught so.
 */
function isSettled(stats: Stats): boolean {
  return !stats.isFile() || stats.nlink !== 1 || Date.now() - stats.ctimeMs > RECENT_MS
}

/**
 * Counts the names of a file that is held, and then looks whether the name it was found by still
 * stands.
 */
async function lookClosely(path: string | Buffer, name: EntryName): Promise<Stats> {
  for (let tries = 0; tries < TRIES; tries++) {
    await using file = await open(path, HOLD_ONLY)
    const stats = await file.stat()
    if (await isNamed(file, name)) return stats
  }
  throw systemError('EAGAIN')
}
