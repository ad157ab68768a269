import { posix } from 'node:path'
import { parseJson } from '@dataagent/schema'
import { z } from 'zod'

/**
 * Of a file, of all in a folder, or of the workspace as a whole (`.`). With `until` it holds only
 * until a line says that this has ended.
 */
const noteSchema = z.object({
  path: z.string(),
  servers: z.array(z.string()),
  until: z.string().optional(),
})
const endSchema = z.object({ ended: z.string() })
const lineSchema = z.union([noteSchema, endSchema])

/** What the lines of a workspace's notes come to. */
export interface Notes {
  /** Server ids by folded path. */
  byPath: ReadonlyMap<string, ReadonlySet<string>>
  /** Of all files, as long as they are here. */
  open: ReadonlyMap<string, ReadonlySet<string>>
}

export const noNotes: Notes = { byPath: new Map(), open: new Map() }

/** A line that cannot be read was cut off: what it would have been of was never written. */
export function withLines(known: Notes, text: string): Notes {
  const byPath = new Map(known.byPath)
  const open = new Map(known.open)
  for (const line of text.split('\n')) {
    const parsed = line === '' ? undefined : tryParse(line)
    if (parsed === undefined) continue
    if ('ended' in parsed) {
      open.delete(parsed.ended)
      continue
    }
    const { path, servers, until } = parsed
    const [notes, key] = until === undefined ? [byPath, fold(path)] : [open, until]
    notes.set(key, new Set([...(notes.get(key) ?? []), ...servers]))
  }
  return { byPath, open }
}

function tryParse(line: string) {
  try {
    return lineSchema.safeParse(parseJson(line)).data
  } catch {
    return undefined
  }
}

/** Those that hold now. */
export function originsIn(notes: Notes, path: string): ReadonlySet<string> {
  const open = [...notes.open.values()].flatMap((servers) => [...servers])
  return lastingIn(notes, path).union(new Set(open))
}

/** Those of the file, of the folders that it is in, and of the workspace as a whole. */
export function lastingIn({ byPath }: Notes, path: string): ReadonlySet<string> {
  const origins = new Set(byPath.get(''))
  const folded = fold(path)
  for (let end = folded.indexOf('/'); ; end = folded.indexOf('/', end + 1)) {
    const part = end === -1 ? folded : folded.slice(0, end)
    for (const server_id of byPath.get(part) ?? []) origins.add(server_id)
    if (end === -1) return origins
  }
}

/** Those of any file. */
export function allIn({ byPath, open }: Notes): ReadonlySet<string> {
  return new Set([...byPath.values(), ...open.values()].flatMap((servers) => [...servers]))
}

/** One spelling for all that some file system takes for the same name. */
function fold(path: string): string {
  const plain = posix.normalize(path).replace(/\/$/, '').normalize('NFC')
  return plain === '.' ? '' : plain.toUpperCase().toLowerCase().normalize('NFC')
}
