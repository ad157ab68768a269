import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { access, lstat, open, readlink } from 'node:fs/promises'
import { type EntryName, type HeldDir, joinName } from './held-dir.ts'
import { hasCode, systemError } from './to-app-error.ts'

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
const FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK

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
  return procDir(await open(path, FLAGS))
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
        return procDir(await open(at(name), FLAGS))
      } catch (error) {
        // Linux says ENOTDIR for a link as well.
        if (hasCode(error, 'ENOTDIR') && (await lstat(at(name))).isSymbolicLink()) {
          throw systemError('ELOOP')
        }
        throw error
      }
    },
    // A removed file reads "/its/path (deleted)".
    isNamed: async (file, name) =>
      (await readlink(`/proc/self/fd/${file.fd}`)).endsWith(`/${name}`),
    confirm: async () => {},
    sync: () => handle.sync(),
    [Symbol.asyncDispose]: () => handle.close(),
  }
}
