import type { Stats } from 'node:fs'
import { type FileHandle, opendir } from 'node:fs/promises'

/** A name as the file system keeps it: bytes where they are not valid UTF-8. */
export type EntryName = string | Buffer

/**
 * One directory of the workspace, held while it is used. Two kinds: `procDir` holds a descriptor,
 * so that nobody can put another directory in its place; `checkedDir` holds a path and looks again
 * after use.
 *
 * A path that `at` gave is good only until the directory is disposed of: every operation on one is
 * awaited before that.
 */
export interface HeldDir extends AsyncDisposable {
  /** How the system reaches the entry `name` of this directory. `.` is the directory itself. */
  at(name: EntryName): string | Buffer
  /** Holds the directory `name`. Throws ELOOP for a symbolic link, ENOTDIR for any other thing. */
  openDir(name: EntryName): Promise<HeldDir>
  /**
   * What `name` is, without following a link. That a file has one name is told only of one that had
   * this name then, so that nothing is told of a file that had another name outside.
   */
  look(name: EntryName): Promise<Stats>
  /**
   * Whether `name` is still the name of `file`, which was opened by it: neither removed, replaced
   * nor renamed since.
   */
  isNamed(file: FileHandle, name: string): Promise<boolean>
  /**
   * Throws EAGAIN when this directory may not be where it was; to be called before a change through
   * `at`.
   */
  confirm(): Promise<void>
  /** Makes new and renamed entries survive a power loss, where the platform can. */
  sync(): Promise<void>
}

/** The same directory for one who does not own it: disposing of it does nothing. */
export function borrowDir(dir: HeldDir): HeldDir {
  return { ...dir, [Symbol.asyncDispose]: async () => {} }
}

/** Holds the directory that `names` lead to, one step at a time. */
export async function walkDirs(root: HeldDir, names: string[]): Promise<HeldDir> {
  let held = borrowDir(root)
  for (const name of names) {
    await using last = held
    held = await last.openDir(name)
  }
  return held
}

/** The names in a directory, in no order. */
export async function* namesIn(dir: HeldDir): AsyncGenerator<Buffer> {
  await dir.confirm()
  // The types lack the encoding 'buffer', which gives names as bytes.
  const options = { encoding: 'buffer' as BufferEncoding, bufferSize: 128 }
  for await (const entry of await opendir(dir.at('.'), options)) {
    yield entry.name as unknown as Buffer
  }
}

/** `base` with a name behind it. */
export function joinName(base: string, name: EntryName): string | Buffer {
  return typeof name === 'string' ? base + name : Buffer.concat([Buffer.from(base), name])
}
