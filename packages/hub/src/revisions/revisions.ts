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
/** A load of tools that takes longer is taken for one that never ends. */
const slowMaxMs = 60_000

/** Memory that follows the store, by a check every `everyMs` and one for each hint. */
export function createRevisions(options: RevisionsOptions): Revisions {
  const { rows, kv, clock = systemClock, everyMs = 1_000, onError = () => {} } = options
  const followers = createFollowers()
  const looks = createSingleFlight(look)
  const slowLoads = createSingleFlight(loadSlow)
  const hints = createHints({ kv, onError, onHint: () => planAt(lastStart + gapMs) })
  const phase = { isStarted: false, isClosed: false }
  let [seen, current] = [0, 0]
  let [lastStart, lookedAt, confirmedAt] = [-Infinity, -Infinity, -Infinity]
  let slowSince: number | undefined
  let planned: { at: number; cancel: () => void } | undefined

  async function check(): Promise<void> {
    await looks.run()
    await slowLoads.run()
    confirm()
  }

  /** Asks the store, and loads all but the tools. */
  async function look(): Promise<void> {
    lastStart = clock.monotonic()
    const askedAt = lastStart
    await markChanges()
    throwFirst(await followers.load('quick'))
    // Who began to follow in the meantime is served by a look of its own.
    if (!followers.isCurrent('quick')) return look()
    lookedAt = askedAt
    confirm()
  }

  async function loadSlow(): Promise<void> {
    slowSince = clock.monotonic()
    const errors = await followers.load('slow')
    slowSince = undefined
    throwFirst(errors)
    if (!followers.isCurrent('slow')) return loadSlow()
  }

  /**
   * The answer of the store confirms memory, once it is known who may do what. Tools that are still
   * being loaded are as they were: that denies nothing, and holds up no other tenant.
   */
  function confirm(): void {
    const isStuck = slowSince !== undefined && clock.monotonic() - slowSince > slowMaxMs
    if (isStuck || !followers.isSound() || !followers.isCurrent('quick')) return
    confirmedAt = lookedAt
    if (followers.isCurrent('slow')) current = seen
  }

  function throwFirst([first, ...others]: unknown[]): void {
    for (const error of others) onError(error)
    if (first !== undefined) throw first
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
    await looks.run().then(() => void slowLoads.run().then(confirm, onError), onError)
    planAt(Math.max(lastStart + everyMs, clock.monotonic() + gapMs))
  }

  async function close(): Promise<void> {
    phase.isClosed = true
    planned?.cancel()
    await hints.close()
    await looks.idle()
    await slowLoads.idle()
  }

  return {
    get current() {
      return current
    },
    unconfirmedMs: () => clock.monotonic() - confirmedAt,
    check,
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
