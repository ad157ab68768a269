import { type Clock, systemClock } from '@dataagent/guard'
import type { Kv } from '../kv-port.ts'
import type { RevisionRows, Revisions } from './contract.ts'
import { createFollowers } from './followers.ts'
import { createHints } from './hints.ts'
import { createSingleFlight } from './single-flight.ts'

export interface RevisionsOptions {
  rows: Pick<RevisionRows, 'changedSince'>
  kv: Pick<Kv, 'publish' | 'subscribe'>
  clock?: Clock
  everyMs?: number
  /** Told of what fails in the background: the store or the KV is away, a reload rejects. */
  onError?: (error: unknown) => void
}

/** However many hints come, checks begin no closer together. */
const gapMs = 50

/** Memory that follows the store, by a check every `everyMs` and one for each hint. */
export function createRevisions(options: RevisionsOptions): Revisions {
  const { rows, kv, clock = systemClock, everyMs = 1_000, onError = () => {} } = options
  const followers = createFollowers()
  const checks = createSingleFlight(check)
  const hints = createHints({ kv, onError, onHint: () => planAt(lastStart + gapMs) })
  const phase = { isStarted: false, isClosed: false }
  let [seen, current] = [0, 0]
  let [lastStart, confirmedAt] = [-Infinity, -Infinity]
  let planned: { at: number; cancel: () => void } | undefined

  async function check(): Promise<void> {
    lastStart = clock.monotonic()
    const askedAt = lastStart
    await markChanges()
    const errors = await followers.load()
    for (const error of errors.slice(1)) onError(error)
    if (errors.length > 0) throw errors[0]
    // Who began to follow in the meantime is served by a check of its own.
    if (!followers.isCurrent()) return check()
    current = seen
    confirmedAt = askedAt
  }

  /**
   * Asks from one below what was seen: the row seen last must be there, or one above it. Where
   * there is none the store has gone back in time (a backup), and nothing in memory holds.
   */
  async function markChanges(): Promise<void> {
    const found = await rows.changedSince(Math.max(0, seen - 1))
    if (found.length === 0 && seen > 0) {
      followers.markAll()
      seen = (await rows.changedSince(0)).at(-1)?.revision ?? 0
      return
    }
    for (const row of found) if (row.revision > seen) followers.mark(row)
    seen = found.at(-1)?.revision ?? seen
  }

  function planAt(at: number): void {
    if (!phase.isStarted || phase.isClosed || (planned && planned.at <= at)) return
    planned?.cancel()
    const cancel = clock.after(Math.max(0, at - clock.monotonic()), () => void tick())
    planned = { at, cancel }
  }

  async function tick(): Promise<void> {
    planned = undefined
    hints.listen()
    await checks.run().catch(onError)
    planAt(Math.max(lastStart + everyMs, clock.monotonic() + gapMs))
  }

  async function close(): Promise<void> {
    phase.isClosed = true
    planned?.cancel()
    await hints.close()
    await checks.idle()
  }

  return {
    get current() {
      return current
    },
    unconfirmedMs: () => clock.monotonic() - confirmedAt,
    check: checks.run,
    publish: hints.publish,
    follow(topic, reload) {
      const stop = followers.add(topic, reload)
      planAt(lastStart + gapMs)
      return stop
    },
    start() {
      if (phase.isStarted) return
      phase.isStarted = true
      planAt(clock.monotonic())
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
