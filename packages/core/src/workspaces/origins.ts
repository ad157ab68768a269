import { mkdir, open } from 'node:fs/promises'
import { dirname, posix } from 'node:path'
import { parseJson } from '@dataagent/schema'
import { z } from 'zod'
import { look, syncDir, toAppError } from './files.ts'
import type { Place } from './place.ts'

const noteSchema = z.object({ path: z.string(), servers: z.array(z.string()) })

/** Server ids by folded path. */
type Origins = Map<string, Set<string>>
type NotedPlace = Pick<Place, 'key' | 'origins'>

interface Read {
  /** Up to here, the end of a line, the file was read. */
  end: number
  origins: Origins
}

const keptMax = 1_000

/**
 * Notes of whose output files may hold: a line each, which is never changed, so that several
 * processes may add to them and one that dies spoils at most its own. When there are more than
 * `maxBytes` of them, notes are of the workspace as a whole.
 */
export function createOriginNotes({ maxBytes = 4 * 1024 * 1024 }: { maxBytes?: number } = {}) {
  const kept = new Map<string, Read>()

  /** Reads what is new since the last time. */
  async function read({ key, origins: file }: NotedPlace): Promise<Read> {
    const size = (await look(file))?.size ?? 0
    const known = kept.get(key)
    if (known?.end === size) return known
    const from = known !== undefined && known.end < size ? known : { end: 0, origins: new Map() }
    const fresh = size === 0 ? from : await readOn(file, from)
    if (kept.size >= keptMax) kept.clear()
    kept.set(key, fresh)
    return fresh
  }

  async function note(place: NotedPlace, path: string, servers: ReadonlySet<string>) {
    const { end, origins } = await read(place)
    const fresh = servers.difference(originsIn(origins, path))
    if (fresh.size === 0) return
    const noted = { path: end > maxBytes ? '.' : path, servers: [...fresh] }
    await append(place.origins, JSON.stringify(noted))
  }

  return {
    /** Resolves when the note is durable. */
    note: (place: NotedPlace, path: string, servers: ReadonlySet<string>) =>
      note(place, path, servers).catch(fail),

    async of(place: NotedPlace, paths: readonly string[]): Promise<Set<string>> {
      const { origins } = await read(place).catch(fail)
      return new Set(paths.flatMap((path) => [...originsIn(origins, path)]))
    },
  }
}

function fail(error: unknown): never {
  throw toAppError(error)
}

/** The line end before it keeps it apart from a line that was cut off. */
async function append(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await using handle = await open(file, 'a', 0o600)
  await handle.appendFile(`\n${line}\n`)
  await handle.sync()
  await syncDir(dirname(file))
}

async function readOn(file: string, { end, origins }: Read): Promise<Read> {
  await using handle = await open(file, 'r')
  const { size } = await handle.stat()
  const bytes = Buffer.alloc(Math.max(0, size - end))
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, end)
  const whole = bytes.subarray(0, bytes.subarray(0, bytesRead).lastIndexOf('\n') + 1)
  return { end: end + whole.length, origins: withNotes(origins, whole.toString()) }
}

/** A line that cannot be read was cut off: what it would have been of was never written. */
function withNotes(known: Origins, text: string): Origins {
  const origins = new Map(known)
  for (const line of text.split('\n')) {
    const parsed = line === '' ? undefined : tryParse(line)
    if (parsed?.success !== true) continue
    const path = fold(parsed.data.path)
    origins.set(path, new Set([...(origins.get(path) ?? []), ...parsed.data.servers]))
  }
  return origins
}

function tryParse(line: string) {
  try {
    return noteSchema.safeParse(parseJson(line))
  } catch {
    return undefined
  }
}

/** Those of the file, and of the workspace as a whole. */
function originsIn(origins: Origins, path: string): ReadonlySet<string> {
  const all = origins.get('') ?? new Set()
  return all.union(origins.get(fold(path)) ?? new Set())
}

/** One spelling for all that some file system takes for the same name. */
function fold(path: string): string {
  const plain = posix.normalize(path).replace(/\/$/, '').normalize('NFC')
  return plain === '.' ? '' : plain.toUpperCase().toLowerCase().normalize('NFC')
}
