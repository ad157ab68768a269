import { randomUUID } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { changedSince, foldersUnder } from './changed-since.ts'
import { look, syncDir, toAppError } from './files.ts'
import { allIn, lastingIn, type Notes, noNotes, originsIn, withLines } from './origin-lines.ts'
import type { Site } from './place.ts'

type NotedPlace = Pick<Site, 'key' | 'origins'>

interface Read {
  /** Up to here, the end of a line, the file was read. */
  end: number
  notes: Notes
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
    const from = known !== undefined && known.end < size ? known : { end: 0, notes: noNotes }
    const fresh = size === 0 ? from : await readOn(file, from)
    if (kept.size >= keptMax) kept.clear()
    kept.set(key, fresh)
    return fresh
  }

  async function note(place: NotedPlace, paths: readonly string[], servers: ReadonlySet<string>) {
    const { end, notes } = await read(place)
    const noted = end > maxBytes ? ['.'] : paths
    const lines = noted.flatMap((path) => {
      const fresh = servers.difference(lastingIn(notes, path))
      return fresh.size === 0 ? [] : [{ path, servers: [...fresh] }]
    })
    if (lines.length > 0) await append(place.origins, lines)
  }

  /**
   * While the work is under way, and for ever where this process dies in it, any file may have been
   * changed by it. Then those that were are noted.
   */
  async function watch<T>(place: Site, untrusted: Set<string>, work: () => Promise<T>) {
    const { live, origins: file } = place
    const { notes } = await read(place).catch(fail)
    for (const server_id of allIn(notes)) untrusted.add(server_id)
    if (untrusted.size === 0) return await work()
    const id = randomUUID()
    const before = await foldersUnder(live).catch(() => undefined)
    const begun = { path: '.', servers: [...untrusted], until: id }
    const since = await append(file, [begun]).catch(fail)
    try {
      return await work()
    } finally {
      const found = before && (await changedSince(live, { since, before }).catch(() => undefined))
      // What cannot be noted stays as it is: all may have been changed.
      await note(place, found ?? ['.'], untrusted)
        .then(() => append(file, [{ ended: id }]))
        .catch(() => {})
    }
  }

  return {
    /** Resolves when the note is durable. */
    note: (place: NotedPlace, path: string, servers: ReadonlySet<string>) =>
      note(place, [path], servers).catch(fail),

    async of(place: NotedPlace, paths: readonly string[]): Promise<Set<string>> {
      const { notes } = await read(place).catch(fail)
      return new Set(paths.flatMap((path) => [...originsIn(notes, path)]))
    },

    watch,
  }
}

function fail(error: unknown): never {
  throw toAppError(error)
}

/** The line end before keeps them apart from a line that was cut off. Gives the file's time. */
async function append(file: string, lines: readonly object[]): Promise<number> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await using handle = await open(file, 'a', 0o600)
  await handle.appendFile(`\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  await handle.sync()
  await syncDir(dirname(file))
  return (await handle.stat()).ctimeMs
}

async function readOn(file: string, { end, notes }: Read): Promise<Read> {
  await using handle = await open(file, 'r')
  const { size } = await handle.stat()
  const bytes = Buffer.alloc(Math.max(0, size - end))
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, end)
  const whole = bytes.subarray(0, bytes.subarray(0, bytesRead).lastIndexOf('\n') + 1)
  return { end: end + whole.length, notes: withLines(notes, whole.toString()) }
}
