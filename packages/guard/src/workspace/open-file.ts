import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { requireFile } from './file-info.ts'
import type { HeldDir } from './held-dir.ts'
import { systemError } from './to-app-error.ts'

/**
 * Windows has neither. O_NONBLOCK keeps a FIFO from holding the caller until someone writes to it.
 */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
const TRIES = 64

export interface OpenFile extends AsyncDisposable {
  handle: FileHandle
  stats: Stats
}

/**
 * Opens a regular file with one name, and looks only then at what was opened.
 *
 * The count of names alone does not prove it: a hard link to a file outside that is removed after
 * the open leaves a count of one. A count of one while the name that was opened still stands does.
 * A file that is being replaced meets this now and then; it is opened again.
 */
export async function openFile(
  dir: HeldDir,
  name: string,
  { flags, dev }: { flags: number; dev: number },
): Promise<OpenFile> {
  for (let tries = 0; tries < TRIES; tries++) {
    const handle = await open(dir.at(name), flags | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stats = await handle.stat()
      requireFile(stats, dev)
      if (await dir.isNamed(handle, name)) {
        return { handle, stats, [Symbol.asyncDispose]: () => handle.close() }
      }
    } catch (error) {
      await handle.close()
      throw error
    }
    await handle.close()
  }
  throw systemError('EAGAIN')
}
