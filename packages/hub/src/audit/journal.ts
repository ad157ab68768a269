import { existsSync, mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { CallLogRow } from './contract.ts'
import {
  type ChainHead,
  type JournalStart,
  readJournal,
  toHeadsLine,
  toRowLine,
  toStartLine,
} from './journal-lines.ts'
import { createOwnerName, toReleasedName } from './owner.ts'
import { createSegment, orJournalError, type Segment } from './segment.ts'

/** Where rows begin that are only in the journal. */
export interface JournalPlace {
  segment: Segment
  offset: number
}

export interface ReadBack {
  rows: { row: CallLogRow; segment: Segment }[]
  next: JournalPlace
}

/**
 * The folder in which this process keeps what the database does not have yet. A line is with the
 * operating system when its call returns: it outlives the process, not the machine.
 */
export interface Journal {
  readonly path: string
  /**
   * Writes starts, which are kept until they are forgotten, and rows, given as JSON, which count as
   * unstored: in one piece. Throws `storage_full` or `internal`; then nothing is written.
   */
  append(rows: readonly { json: string }[], starts?: readonly JournalStart[]): JournalPlace
  /** The call has ended: its start is not kept any longer. */
  forget(call_id: string): void
  /** A row of this segment is stored. */
  stored(segment: Segment): void
  /** Up to `limit` rows from a place on. */
  read(place: JournalPlace, limit: number): Promise<ReadBack>
  /**
   * A sign of life for processes that cannot look at this one. Where somebody removed the folder it
   * is made again, with the calls under way.
   */
  touch(now: number): void
  /** Removes the folder, or leaves it to the next process where something in it is needed. */
  close(options: { keep: boolean }): void
}

export interface JournalOptions {
  dir: string
  /** Heads that have no anchor yet. */
  heads: () => ChainHead[]
  segmentBytes: number
}

/**
 * Begins a new file when one is full, with the starts of calls under way; a full one is removed as
 * soon as its rows are stored. Throws `storage_full` or `internal`.
 */
export function createJournal({ dir, heads, segmentBytes }: JournalOptions): Journal {
  const path = join(dir, createOwnerName())
  const underWay = new Map<string, string>()
  const segments: Segment[] = []
  let made = 0
  makeFolder()
  let current = addSegment()

  function makeFolder(): void {
    orJournalError(() => mkdirSync(path, { recursive: true, mode: 0o700 }))
  }

  function addSegment(): Segment {
    made += 1
    const segment = createSegment(join(path, `${String(made).padStart(8, '0')}.journal`))
    try {
      segment.write(toHeadsLine(heads()) + [...underWay.values()].join(''))
    } catch (error) {
      segment.remove()
      throw error
    }
    segments.push(segment)
    return segment
  }

  function turnOver(): void {
    const full = current
    current = addSegment()
    removeIfStored(full)
  }

  function removeIfStored(segment: Segment): void {
    if (segment === current || segment.unstored > 0) return
    try {
      current.write(toHeadsLine(heads()))
    } catch {
      // It stays, and is looked at again with the rows of the next one.
      return
    }
    segments.splice(segments.indexOf(segment), 1)
    segment.remove()
  }

  return {
    path,
    append(rows, starts = []) {
      if (current.size >= segmentBytes) turnOver()
      const place = { segment: current, offset: current.size }
      const lines = starts.map(toStartLine)
      let text = lines.join('')
      for (const { json } of rows) text += toRowLine(json)
      current.write(text)
      current.unstored += rows.length
      for (const [at, { record }] of starts.entries()) underWay.set(record.call_id, lines[at]!)
      return place
    },
    forget: (call_id) => underWay.delete(call_id),
    stored(segment) {
      segment.unstored -= 1
      if (segment.unstored === 0) for (const full of [...segments]) removeIfStored(full)
    },
    read: (place, limit) => readBack(segments, place, limit),
    touch(now) {
      if (!existsSync(path)) {
        makeFolder()
        current = addSegment()
      }
      utimesSync(path, now / 1_000, now / 1_000)
    },
    close({ keep }) {
      for (const segment of segments) segment.close()
      if (!keep && underWay.size === 0) return rmSync(path, { recursive: true, force: true })
      renameSync(path, join(dirname(path), toReleasedName(basename(path))))
    },
  }
}

async function readBack(
  segments: readonly Segment[],
  from: JournalPlace,
  limit: number,
): Promise<ReadBack> {
  const rows: ReadBack['rows'] = []
  // Rows are stored in order: a file that is gone was the oldest.
  let place = segments.includes(from.segment) ? from : { segment: segments[0]!, offset: 0 }
  for (;;) {
    const { segment, offset } = place
    for await (const line of readJournal(segment.path, offset)) {
      place = { segment, offset: line.end }
      if (line.kind === 'row') rows.push({ row: line.row, segment })
      if (rows.length === limit) return { rows, next: place }
    }
    const next = segments[segments.indexOf(segment) + 1]
    if (next === undefined) return { rows, next: place }
    place = { segment: next, offset: 0 }
  }
}
