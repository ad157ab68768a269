import type { Clock } from '@dataagent/guard'
import type { LinkedRow } from './chain.ts'
import type { CallLogRow } from './contract.ts'
import type { Journal, JournalPlace } from './journal.ts'
import type { JournalStart } from './journal-lines.ts'
import type { Segment } from './segment.ts'

export interface OutboxOptions {
  journal: Journal
  /** Stores rows, all or none; may be given rows twice. */
  store: (rows: readonly CallLogRow[]) => Promise<void>
  onStored: (rows: readonly CallLogRow[]) => void
  clock: Clock
  /** Rows that are stored together at the most. */
  batch: number
  everyMs: number
  /** Rows beyond this are read back from the journal when their turn comes. */
  memoryRows: number
}

/** What is on its way to the database, in order. */
export interface Outbox {
  /** Resolves when the start is in the journal. Rejects with `storage_full` or `internal`. */
  begin(start: JournalStart): Promise<void>
  /** Never throws. */
  push(row: LinkedRow): void
  readonly waiting: number
  /** Resolves when all that was pushed so far is stored. */
  flush(): Promise<void>
  /** Writes to the journal what is not there yet, and stores nothing more. */
  close(): Promise<void>
}

interface Item {
  row: CallLogRow
  /** Where its line is, or undefined while it has none. */
  segment: Segment | undefined
}

/** Calls that begin in one turn of the event loop. */
interface Beginning extends PromiseWithResolvers<void> {
  starts: JournalStart[]
}

const backoffMs = { first: 100, most: 5_000 }
const rewriteMs = 1_000

export function createOutbox(options: OutboxOptions): Outbox {
  const { journal, store, onStored, clock, batch, everyMs, memoryRows } = options
  /** Oldest first: rows in memory, then rows that only the journal has, then unwritten ones. */
  let queue: Item[] = []
  const spilled: { count: number; place: JournalPlace | undefined } = { count: 0, place: undefined }
  let unwritten: LinkedRow[] = []
  let beginning: Beginning | undefined
  let isWriteDue = false
  /** Whether a call has begun in this turn of the event loop, and was written at once. */
  let isTurnBegun = false
  let isStoringUnwritten = false
  let [pushed, stored, failures] = [0, 0, 0]
  let isClosed = false
  let running: Promise<void> | undefined
  let cancelTimer: (() => void) | undefined
  const waiters = new Set<{ until: number; resolve: () => void }>()

  /** What comes in one turn of the event loop goes into the journal together. */
  function write(): void {
    isWriteDue = false
    const rows = isStoringUnwritten ? [] : unwritten
    const begun = beginning
    beginning = undefined
    if (rows.length === 0 && begun === undefined) return
    try {
      const place = journal.append(rows, begun?.starts)
      begun?.resolve()
      if (rows.length === 0) return
      keep(rows, place)
      unwritten = []
    } catch (error) {
      begun?.reject(error)
      if (rows.length > 0) clock.after(rewriteMs, writeSoon)
    }
  }

  function writeSoon(): void {
    if (isWriteDue || isClosed) return
    isWriteDue = true
    setImmediate(writeIfDue)
  }

  /** The first call of a turn does not wait for others: there may be none. */
  function beginTurn(): void {
    isTurnBegun = true
    setImmediate(endTurn)
    write()
  }

  function endTurn(): void {
    isTurnBegun = false
  }

  function writeIfDue(): void {
    if (isWriteDue) write()
  }

  function keep(rows: readonly LinkedRow[], place: JournalPlace): void {
    if (spilled.count === 0 && queue.length + rows.length <= memoryRows) {
      for (const { row } of rows) queue.push({ row, segment: place.segment })
      return
    }
    if (spilled.count === 0) spilled.place = place
    spilled.count += rows.length
  }

  function schedule(ms: number): void {
    if (isClosed || running) return
    cancelTimer ??= clock.after(ms, run)
  }

  function run(): void {
    cancelTimer?.()
    cancelTimer = undefined
    running ??= drain().finally(() => {
      running = undefined
      if (pushed > stored) schedule(failures > 0 ? toBackoff(failures) : everyMs)
    })
  }

  async function drain(): Promise<void> {
    try {
      // What is less than a batch waits for its time, unless someone waits for it.
      while (!isClosed && pushed > stored && (await storeNext())) {
        if (pushed - stored < batch && waiters.size === 0) return
      }
    } catch {
      failures += 1
    }
  }

  /** False where nothing can be stored now. */
  async function storeNext(): Promise<boolean> {
    if (isWriteDue) write()
    if (queue.length > 0) return storeQueued()
    if (spilled.count > 0) return storeSpilled(spilled.place!)
    return storeUnwritten()
  }

  /** The journal's disk is full; the database may have room. */
  async function storeUnwritten(): Promise<boolean> {
    const items = unwritten.slice(0, batch).map(({ row }) => ({ row, segment: undefined }))
    isStoringUnwritten = true
    try {
      return await storeItems(items, (count) => {
        unwritten = unwritten.slice(count)
      })
    } finally {
      isStoringUnwritten = false
      writeSoon()
    }
  }

  function storeQueued(): Promise<boolean> {
    return storeItems(queue.slice(0, batch), (count) => {
      queue = queue.slice(count)
    })
  }

  async function storeSpilled(place: JournalPlace): Promise<boolean> {
    const { rows, next } = await journal.read(place, batch)
    // What was written and cannot be read is lost; it must not hold up the rest.
    if (rows.length === 0) return storeItems([], skipSpilled)
    return storeItems(rows, () => {
      spilled.count -= rows.length
      spilled.place = next
    })
  }

  async function storeItems(items: Item[], remove: (count: number) => void): Promise<boolean> {
    const rows = items.map(({ row }) => row)
    if (rows.length > 0) await store(rows)
    failures = 0
    remove(rows.length)
    advance(rows)
    for (const { segment } of items) if (segment) journal.stored(segment)
    return rows.length > 0
  }

  function skipSpilled(): void {
    stored += spilled.count
    spilled.count = 0
  }

  function advance(rows: readonly CallLogRow[]): void {
    stored += rows.length
    onStored(rows)
    for (const waiter of waiters) {
      if (waiter.until > stored) continue
      waiters.delete(waiter)
      waiter.resolve()
    }
  }

  return {
    begin(start) {
      beginning ??= { starts: [], ...Promise.withResolvers<void>() }
      beginning.starts.push(start)
      const { promise } = beginning
      if (isTurnBegun) writeSoon()
      else beginTurn()
      return promise
    },
    push(row) {
      pushed += 1
      unwritten.push(row)
      writeSoon()
      if (pushed - stored >= batch && failures === 0) run()
      else schedule(everyMs)
    },
    get waiting() {
      return pushed - stored
    },
    flush() {
      if (stored >= pushed) return Promise.resolve()
      const flushed = new Promise<void>((resolve) => waiters.add({ until: pushed, resolve }))
      run()
      return flushed
    },
    async close() {
      cancelTimer?.()
      write()
      isClosed = true
      await running
    },
  }
}

function toBackoff(failures: number): number {
  const ms = Math.min(backoffMs.most, backoffMs.first * 2 ** (failures - 1))
  return ms * (0.5 + Math.random() / 2)
}
