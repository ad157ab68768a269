import { readPages, type SessionLog } from '@dataagent/core'
import type { Clock } from '@dataagent/guard'
import {
  type Logged,
  type ResumePoint,
  restAfter,
  type SentEvent,
  type TextEvent,
  toResumePoint,
} from '@dataagent/schema'
import type { Follower, FollowOptions } from './contract.ts'
import type { Feed } from './feed.ts'
import { readStored } from './stored-event.ts'

export interface FollowerOptions extends FollowOptions {
  log: SessionLog
  feed: Feed
  clock: Clock
}

/** A row may hold megabytes. */
const pageSize = 50
/** Events that may wait for an earlier one; past that the log is read instead. */
const aheadMax = 1_000
/** How soon a missing event is looked for: text is logged within 250 ms. */
const lookAgainMs = 60
/** Text may have been sent before we listened, and be logged after we read, and nothing follow. */
const lookLaterMs = [300, 2_000]
const retryMs = 1_000

/**
 * Gives every event after a point once, in order: from the log what is there, then what comes.
 * Where something is missing in between, it is read from the log.
 */
export function createFollower(options: FollowerOptions): Follower {
  const { session_id, log, feed, clock, onEvent, onCaughtUp, onFault } = options
  let point: ResumePoint = options.after
  /** Whether the text at the point is known to have ended. */
  let isWhole = false
  /** Whether nothing that came after the point, in its own row either, can have been missed. */
  let isSure = point.seq === 0
  /** Whether that text began anew: it does so once. */
  let hasRestarted = false
  let ahead: SentEvent[] = []
  /** The last row that was read. A row is whole: what is still sent of it died with its process. */
  let readTo = 0
  let reading: Promise<void> | undefined
  let mustRead = false
  const closing = Promise.withResolvers<void>()
  let isClosed = false
  let hasCaughtUp = false
  let later = [...lookLaterMs]
  /** How long the log is left alone: it could not be read. */
  let spareMs = 0
  let dueAt = Number.POSITIVE_INFINITY
  let cancelTimer = () => {}

  function give(event: SentEvent): void {
    const rest = restAfter(hasRestarted ? withoutRestart(event, point.seq) : event, point)
    if (rest === undefined || isClosed) return
    const text = toText(rest)
    const isFinal = text?.is_final ?? false
    if (rest.seq === point.seq && text?.content === '' && (isWhole || !isFinal)) return
    hasRestarted = text?.restarts === true || (hasRestarted && rest.seq === point.seq)
    point = toResumePoint(rest)
    isWhole = isFinal
    isSure = true
    onEvent(rest)
  }

  /** Gives what follows on the point; stops at the first that does not. */
  function drain(): void {
    while (ahead.length > 0 && !isClosed) {
      const event = ahead[0]!
      const isDead = event.seq <= readTo
      if (!isDead && !follows(event, point, isSure)) break
      ahead.shift()
      if (!isDead) give(event)
    }
    if (ahead.length > 0 && !isClosed && !reading) lookAgain(lookAgainMs)
  }

  function take(event: SentEvent): void {
    if (event.seq < point.seq || event.seq <= readTo) return
    insert(ahead, event)
    if (ahead.length > aheadMax) miss()
    if (!reading) drain()
  }

  /** What was sent is not all known: the log has it, or will. */
  function miss(): void {
    ahead = []
    isSure = false
    later = [...lookLaterMs]
    read()
  }

  /** What is due sooner stays so. */
  function lookAgain(ms: number): void {
    const at = clock.monotonic() + Math.max(ms, spareMs)
    if (at >= dueAt) return
    cancelTimer()
    dueAt = at
    cancelTimer = clock.after(Math.max(ms, spareMs), () => {
      dueAt = Number.POSITIVE_INFINITY
      read()
    })
  }

  function read(): void {
    if (isClosed) return
    mustRead = true
    reading ??= readAll().finally(() => {
      reading = undefined
      if (mustRead) return read()
      drain()
      const [ms] = later.splice(0, 1)
      if (ms !== undefined && !isClosed) lookAgain(ms)
    })
  }

  async function readAll(): Promise<void> {
    while (mustRead && !isClosed) {
      mustRead = false
      try {
        await readRows()
        spareMs = 0
        if (!hasCaughtUp && !isClosed) onCaughtUp?.(point.seq)
        hasCaughtUp = true
      } catch (error) {
        onFault?.(error)
        spareMs = retryMs
        lookAgain(retryMs)
      }
    }
  }

  async function readRows(): Promise<void> {
    // The row at the point may hold more of its text.
    const after = Math.max(0, point.seq - 1)
    for await (const rows of readPages(log, session_id, { after, limit: pageSize })) {
      for (const { json } of rows) {
        const isReady = options.ready?.()
        if (isReady) await Promise.race([isReady, closing.promise])
        if (isClosed) return
        const stored = readStored(json)
        give(stored)
        readTo = stored.seq
        isSure = true
      }
      if (isClosed) return
    }
  }

  const leave = feed.listen(session_id, { onEvent: take, onGap: miss })
  read()

  return {
    async caughtUp() {
      read()
      await reading
    },
    close() {
      isClosed = true
      closing.resolve()
      cancelTimer()
      leave()
    },
  }
}

function toText(event: SentEvent) {
  return event.event_type === 'text' ? (event as Logged<TextEvent>) : undefined
}

function withoutRestart(event: SentEvent, seq: number): SentEvent {
  const text = event.seq === seq ? toText(event) : undefined
  if (text?.restarts === undefined) return event
  const { restarts, ...plain } = text
  return plain
}

/**
 * Whether nothing is missing between the point and the event. The next row follows on a text only
 * where that is sure to be whole: its rest may be on its way to the log.
 */
function follows(event: SentEvent, { seq, offset }: ResumePoint, isSure: boolean): boolean {
  const from = 'offset' in event && typeof event.offset === 'number' ? event.offset : 0
  if (event.seq <= seq) return event.seq < seq || from <= offset
  return isSure && event.seq === seq + 1 && from === 0
}

/** Keeps the order of the log: text is sent at once, and may come before what is being logged. */
function insert(ahead: SentEvent[], event: SentEvent): void {
  let at = ahead.length
  while (at > 0 && ahead[at - 1]!.seq > event.seq) at -= 1
  ahead.splice(at, 0, event)
}
