import { appendFileSync, readFileSync } from 'node:fs'

/** What a server notes of itself, with a value each. */
export type NoteKind =
  /** A life begins: the process id. */
  | 'start'
  /** HTTP: the method and the path. */
  | 'request'
  /** HTTP: how many others are open. */
  | 'connection'
  | 'disconnection'
  /** A message came: its method, or `response`. */
  | 'received'
  /** A message came with this trace in its `_meta`. */
  | 'traceparent'
  /** A tool did something that another call would do again: its name. */
  | 'effect'
  /** The client has cancelled a request, or hung up on it: `notification` or `closed`. */
  | 'cancelled'
  /** A process was started that should not outlive the server: its id. */
  | 'grandchild'
  /** A signal was ignored: its name. */
  | 'signal'

export interface Notes {
  add(kind: NoteKind, value: string | number): void
  /** The values noted so far, oldest first. */
  read(kind: NoteKind): string[]
}

export function createNotes(): Notes {
  const notes = new Map<NoteKind, string[]>()
  return {
    add(kind, value) {
      const values = notes.get(kind)
      if (values) values.push(String(value))
      else notes.set(kind, [String(value)])
    },
    read: (kind) => [...(notes.get(kind) ?? [])],
  }
}

/** Notes in a file, for a server in another process that may die at any moment. */
export function createFileNotes(path: string): Notes {
  return {
    add: (kind, value) => appendFileSync(path, `${kind} ${value}\n`),
    read(kind) {
      const lines = readFileSync(path, 'utf8').split('\n')
      return lines
        .filter((line) => line.startsWith(`${kind} `))
        .map((line) => line.slice(kind.length + 1))
    },
  }
}
