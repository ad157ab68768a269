import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import { isSomeone, type Principal, seesRecords } from '../principal.ts'
import { type Anchors, createAnchors } from './anchors.ts'
import { toLinkedRow } from './chain.ts'
import type { Audit, CallFilters, CallLogRow, CallLogRows, CallRecord } from './contract.ts'
import { createHeads, type Heads } from './heads.ts'
import { createJournal } from './journal.ts'
import { createOutbox } from './outbox.ts'
import { createTakeover } from './takeover.ts'
import { toTold } from './to-told.ts'
import { verifyChains } from './verify.ts'

export interface AuditOptions {
  rows: CallLogRows
  /** A folder on a local disk, shared by the processes of an installation on this machine. */
  dir: string
  /** What the names of this process's chains begin with: letters, digits, dots, hyphens. */
  writer: string
  /** Kept out of the database: whoever has both could rewrite history. */
  anchorKey: string | Uint8Array
  clock?: Clock
  /** Rows that are stored together at the most. */
  batch?: number
  drainEveryMs?: number
  anchorEveryMs?: number
  /** How long `close` waits for the database; the next start stores the rest. */
  closeMs?: number
  segmentBytes?: number
  /** Rows that wait in memory at the most; the journal holds the others. */
  memoryRows?: number
}

/** How often journals of processes that are gone are looked for, and a sign of life is given. */
const lookEveryMs = 15_000
/** Rows of other processes have this long to be anchored before they are suspicious. */
const anchorGraceMs = 5 * 60_000
const maxPage = 1_000

/**
 * Opens the audit of this process. Throws `storage_full` or `internal` where the folder cannot be
 * written, `config_invalid` for a name or a key that will not do. Journals that other processes
 * left are stored in the background; `flush` waits for them too.
 */
export function createAudit(options: AuditOptions): Audit {
  const { rows, dir, anchorKey, clock = systemClock, batch = 500 } = options
  const { drainEveryMs = 200, anchorEveryMs = 60_000, closeMs = 5_000 } = options
  const { segmentBytes = 4 * 1024 * 1024, memoryRows = 10_000 } = options
  checkOptions(options)
  const writer = `${options.writer}.${clock.now().toString(36)}.${randomBytes(6).toString('hex')}`
  const heads = createHeads(writer)
  const anchors = createAnchors({ rows, key: anchorKey, clock })
  const journal = createJournal({ dir, heads: heads.unanchored, segmentBytes })
  const outbox = createOutbox({
    journal,
    store: (batch) => rows.append(batch),
    onStored,
    clock,
    batch,
    everyMs: drainEveryMs,
    memoryRows,
  })
  const takeOver = createTakeover({
    dir,
    own: journal.path,
    rows,
    batch,
    clock,
    async record(records) {
      for (const record of records) link(record)
      await outbox.flush()
    },
    anchor: anchors.put,
    isClosed: () => closed !== undefined,
  })
  const looking = repeat(clock, lookEveryMs, async () => {
    journal.touch(clock.now())
    await takeOver()
  })
  const anchoring = repeat(clock, anchorEveryMs, () => anchorHeads(heads, anchors))
  let closed: Promise<void> | undefined
  looking.now()

  function link(record: CallRecord): void {
    const linked = toLinkedRow(record, heads.next)
    heads.linked(linked.row)
    outbox.push(linked)
  }

  /** Rows that come late, after the database was away, are not left without an anchor. */
  function onStored(stored: readonly CallLogRow[]): void {
    heads.stored(stored)
    const [first] = stored
    if (first && first.ended_at < clock.now() - anchorEveryMs) anchoring.now()
  }

  async function close(): Promise<void> {
    await within(clock, closeMs, outbox.flush())
    await within(clock, closeMs, Promise.all([looking.stop(), anchoring.stop(), outbox.close()]))
    const isStored = outbox.waiting === 0
    await within(clock, closeMs, anchorHeads(heads, anchors))
    const isAnchored = heads.unanchored().length === 0
    journal.close({ keep: !isStored || !isAnchored || looking.isUnfinished() })
  }

  return {
    begin({ idempotent, record }) {
      if (closed === undefined) return outbox.begin({ idempotent, record })
      const message = 'the audit is closed: no call can begin'
      return Promise.reject(new AppError('internal', message))
    },
    record(record) {
      journal.forget(record.call_id)
      link(record)
    },
    async flush() {
      await looking.settled()
      await outbox.flush()
    },
    async query(by, query) {
      const allowed = toAllowedQuery(by, query)
      if (allowed === undefined) return []
      const limit = Math.min(query.limit, maxPage)
      const found = (await rows.query({ ...allowed, limit })).map(toRecord)
      return allowed.as_told ? found.map(toTold) : found
    },
    async tally(by, query, column) {
      const allowed = toAllowedQuery(by, query)
      if (allowed === undefined) return []
      const found = await rows.tally(allowed, column)
      return found.sort((a, b) => b.calls - a.calls)
    },
    async verify(tenant_id) {
      await anchoring.settled()
      return verifyChains({
        rows,
        key: anchorKey,
        tenant_id,
        anchoredBefore: clock.now() - Math.max(anchorGraceMs, 3 * anchorEveryMs),
        known: heads.lastStored(tenant_id),
      })
    },
    async forget(tenant_id) {
      await outbox.flush()
      heads.forget(tenant_id)
      await anchors.forget(tenant_id)
    },
    get waiting() {
      return outbox.waiting
    },
    close: () => (closed ??= close()),
    [Symbol.asyncDispose]: () => (closed ??= close()),
  }
}

function checkOptions({ writer, anchorKey }: AuditOptions): void {
  if (!/^[\w.-]{1,80}$/.test(writer)) {
    const message = 'the name of an audit writer has 1 to 80 letters, digits, dots or hyphens'
    throw new AppError('config_invalid', message)
  }
  if (anchorKey.length < 16) {
    throw new AppError('config_invalid', 'the key of the audit anchors has at least 16 bytes')
  }
}

async function anchorHeads(heads: Heads, anchors: Anchors): Promise<void> {
  const unanchored = heads.unanchored()
  if (unanchored.length === 0) return
  await anchors.put(unanchored)
  heads.anchored(unanchored)
}

/**
 * Runs `work` every `ms`, never twice at once. What it rejects with is left to its next time: the
 * database is away.
 */
function repeat(clock: Clock, ms: number, work: () => Promise<void>) {
  let running: Promise<void> | undefined
  let isUnfinished = false
  let isStopped = false
  let cancel = clock.after(ms, tick)

  function now(): void {
    running ??= work()
      .then(
        () => {
          isUnfinished = false
        },
        () => {
          isUnfinished = true
        },
      )
      .finally(() => {
        running = undefined
      })
  }

  function tick(): void {
    if (isStopped) return
    now()
    cancel = clock.after(ms, tick)
  }

  return {
    now,
    settled: () => running ?? Promise.resolve(),
    /** Whether the last time was cut short. */
    isUnfinished: () => isUnfinished || running !== undefined,
    async stop(): Promise<void> {
      isStopped = true
      cancel()
      await running
    },
  }
}

/** Waits for `work`, however it ends, but not longer than `ms`. */
function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    const done = () => {
      cancel()
      resolve()
    }
    work.then(done, done)
  })
}

/** Nobody sees calls of another tenant, and a user only their own, as they were told of them. */
function toAllowedQuery<Q extends CallFilters>(by: Principal, query: Q) {
  const { tenant_id, user_id } = by
  if (seesRecords(by)) return { ...query, tenant_id, as_told: false }
  if (!isSomeone(by) || user_id === null) return undefined
  if (query.user_id !== undefined && query.user_id !== user_id) return undefined
  return { ...query, tenant_id, user_id, as_told: true }
}

function toRecord({ writer, seq, prev_hash, hash, ...record }: CallLogRow): CallRecord {
  return record
}
