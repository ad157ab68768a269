import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '../temporary-directory.ts'
import type { Knobs } from './mode.ts'
import type { HostileMode } from './modes/table.ts'
import { createFileNotes, type NoteKind } from './notes.ts'

/** A hostile server over stdio, to be started by the one under test, any number of times. */
export interface HostileCommand extends AsyncDisposable {
  readonly command: string
  readonly args: readonly string[]
  /** What its processes have noted so far, oldest first. */
  notes(kind: NoteKind): string[]
}

/** The command line of a server that behaves well but for its mode. It needs no environment. */
export async function hostileServerCommand(
  mode: HostileMode,
  knobs: Knobs = {},
): Promise<HostileCommand> {
  const directory = await temporaryDirectory()
  const notesFile = join(directory.path, 'notes')
  await writeFile(notesFile, '')
  const program = fileURLToPath(new URL('./stdio-process.ts', import.meta.url))
  return {
    command: process.execPath,
    args: [program, JSON.stringify({ ...knobs, mode, notesFile })],
    notes: createFileNotes(notesFile).read,
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}
