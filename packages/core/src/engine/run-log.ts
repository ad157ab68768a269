import type { Clock } from '@dataagent/guard'
import { AppError, type ExecutionEvent, isAppError, type SentEvent } from '@dataagent/schema'
import { readPages, type SessionLog } from '../session/index.ts'
import type { Conversation } from './conversation.ts'
import { tooLarge } from './event-size.ts'

/** An event of the run as it is sent: with its place. */
export type RunEvent = SentEvent & ExecutionEvent

/**
 * What a run says, in order: each event is appended to the log, then folded, then sent. Text is
 * logged in chunks and sent as it comes, once all before it is durable: readers are never more than
 * one row ahead of the log, and where that is lost, another takes its place.
 */
export interface RunLog {
  /**
   * Resolves when the event is durable and sent. Rejects where the log cannot take it; `too_large`
   * leaves the log usable for others.
   */
  write(...events: readonly ExecutionEvent[]): Promise<void>
  /** As `write`, for what nobody waits for: joined with what follows at once. Rejects nothing. */
  note(...events: readonly ExecutionEvent[]): void
  text(content: string): void
  /** What was sent of this reply is void. */
  restartText(): void
  /** The same for what another process had sent of it. */
  voidText(): void
  /** Ends the reply: what is left of its text is logged with what comes next. */
  endText(): void
  /** Resolves when all is durable; rejects with what kept an event from being so. */
  flush(): Promise<void>
  /** The run is over: what still comes is refused, so that no tool begins. */
  close(): void
  /** Aborts when an event could not be logged: the run must end. */
  readonly failed: AbortSignal
}

export interface RunLogOptions {
  log: SessionLog
  session_id: string
  run_id: string
  conversation: Conversation
  clock: Clock
  /** From then on nothing is logged or sent, but for an append that is under way. */
  lost: AbortSignal
  send(event: RunEvent): void
}

/** How long text may be sent and not logged. */
const chunkMs = 250
const maxAttempts = 5
const maxAppendEntries = 1_000
const maxAppendLength = 4 * 1024 * 1024
/** Of one text event. */
const maxTextLength = 256 * 1024

interface Entry {
  event: ExecutionEvent
  seq: number
  json: string
  /** What is sent once it is durable; null for text of which all was sent as it came. */
  toSend: RunEvent | null
}

interface PendingText {
  seq: number
  content: string
  restarts: boolean
  /** How much of it was sent. */
  sent: number
}

export function createRunLog(options: RunLogOptions): RunLog {
  const { session_id, run_id, conversation, clock, send, log, lost } = options
  const failed = new AbortController()
  let nextSeq = conversation.head + 1
  const queue: Entry[] = []
  /** Events that are not durable yet: those that wait, and those that are being written. */
  let unlogged = 0
  let text: PendingText | undefined
  let hasSentText = false
  let restarts = false
  let cancelChunk: (() => void) | undefined
  let isScheduled = false
  let writing: Promise<void> = Promise.resolve()
  let isClosed = false

  function place<E extends ExecutionEvent>(event: E, seq: number) {
    return { ...event, session_id, seq, run_id }
  }

  /** An event that is too large fails the run and is left out: what follows can be logged. */
  function enqueue(event: ExecutionEvent, toSend?: RunEvent | null): AppError | undefined {
    const seq = nextSeq
    const placed = place(event, seq)
    const json = JSON.stringify(placed)
    const fault = tooLarge(event.event_type, json)
    if (fault) {
      failed.abort(fault)
      return fault
    }
    nextSeq += 1
    unlogged += 1
    queue.push({ event, seq, json, toSend: toSend === undefined ? (placed as RunEvent) : toSend })
    return undefined
  }

  /** The text so far becomes an event, ahead of what comes next. */
  function logText(is_final: boolean): void {
    cancelChunk?.()
    cancelChunk = undefined
    if (text === undefined) return
    const pending = text
    text = undefined
    if (lost.aborted) return
    const { content, sent, restarts: begins } = pending
    const event = toText(content, { is_final, restarts: begins, timestamp: clock.now() })
    const rest = is_final || sent < content.length ? toRest(pending, is_final) : null
    if (unlogged > 0 || rest === null) {
      enqueue(event, rest)
    } else {
      send(rest)
      enqueue(event, null)
    }
  }

  /** What was not sent yet of a text. */
  function toRest({ seq, content, sent, restarts }: PendingText, is_final: boolean): RunEvent {
    const begins = restarts && sent === 0
    const piece = content.slice(sent)
    const event = toText(piece, { is_final, restarts: begins, timestamp: clock.now() })
    return { ...place(event, seq), offset: sent } as RunEvent
  }

  function sendText(): void {
    if (text === undefined || unlogged > 0 || lost.aborted) return
    if (text.sent === text.content.length) return
    const rest = toRest(text, false)
    text.sent = text.content.length
    send(rest)
  }

  function addText(piece: string): void {
    if (text !== undefined && text.content.length + piece.length > maxTextLength) logChunk()
    if (text === undefined) {
      text = { seq: nextSeq, content: '', restarts, sent: 0 }
      restarts = false
      cancelChunk = clock.after(chunkMs, logChunk)
    }
    text.content += piece
    hasSentText = true
    sendText()
  }

  function logChunk(): void {
    logText(false)
    startWriting().catch(() => {})
  }

  /** Nothing more may come for long: what readers have is logged in its time, the rest at once. */
  function writeSoon(): void {
    if (queue.some(({ toSend }) => toSend !== null)) schedule()
    else if (queue.length > 0) cancelChunk = clock.after(chunkMs, logChunk)
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      startWriting().catch(() => {})
    })
  }

  /** One append at a time, each with all that is waiting. */
  function startWriting(): Promise<void> {
    writing = writing.then(async () => {
      while (queue.length > 0) {
        await commit(queue.splice(0, countFitting(queue)))
      }
    })
    return writing
  }

  async function commit(batch: readonly Entry[]): Promise<void> {
    try {
      await appendPatiently({ log, session_id, clock, lost }, batch)
    } catch (error) {
      failed.abort(error)
      throw error
    }
    for (const { event, seq, toSend } of batch) {
      conversation.apply(event, { seq, run_id })
      unlogged -= 1
      if (toSend) send(toSend)
    }
    sendText()
  }

  return {
    failed: failed.signal,
    async write(...events) {
      lost.throwIfAborted()
      if (isClosed) throw new AppError('cancelled', 'The run has ended.')
      logText(false)
      for (const event of events) {
        const fault = enqueue(event)
        if (fault) throw fault
      }
      return startWriting()
    },
    note(...events) {
      if (isClosed || lost.aborted) return
      logText(false)
      for (const event of events) enqueue(event)
      schedule()
    },
    text(content) {
      if (isClosed || lost.aborted) return
      for (const piece of toPieces(content)) addText(piece)
    },
    restartText() {
      logText(false)
      restarts ||= hasSentText
      writeSoon()
    },
    voidText() {
      restarts = true
    },
    endText() {
      if (restarts) enqueue(toText('', { is_final: true, restarts, timestamp: clock.now() }))
      else if (text === undefined && hasSentText) enqueueEnd()
      logText(true)
      restarts = false
      hasSentText = false
      writeSoon()
    },
    flush() {
      logText(false)
      return startWriting()
    },
    close() {
      isClosed = true
    },
  }

  /** The text was logged by a chunk before it was known to be the last. */
  function enqueueEnd(): void {
    enqueue(toText('', { is_final: true, restarts: false, timestamp: clock.now() }))
  }
}

interface TextFields {
  is_final: boolean
  restarts: boolean
  timestamp: number
}

function toText(content: string, { is_final, restarts, timestamp }: TextFields): ExecutionEvent {
  const event = { event_type: 'text', timestamp, content, is_final } as const
  return restarts ? { ...event, restarts } : event
}

function* toPieces(content: string): Iterable<string> {
  for (let at = 0; at < content.length; ) {
    const end = at + maxTextLength
    // No character is cut in two.
    const piece = content.slice(at, /[\uD800-\uDBFF]/.test(content[end - 1] ?? '') ? end - 1 : end)
    yield piece
    at += piece.length
  }
}

/** How many of the first entries go into one append. */
function countFitting(entries: readonly Entry[]): number {
  let length = 0
  const over = entries.findIndex(({ json }, i) => {
    length += json.length
    return i === maxAppendEntries || (i > 0 && length > maxAppendLength)
  })
  return over === -1 ? entries.length : over
}

/**
 * While the database is away the run waits a little. Whether an append that failed so was made all
 * the same, the log tells when it is made again.
 */
async function appendPatiently(
  { log, session_id, clock, lost }: Pick<RunLogOptions, 'log' | 'session_id' | 'clock' | 'lost'>,
  batch: readonly Entry[],
): Promise<void> {
  const after = batch[0]!.seq - 1
  const entries = batch.map(({ event, json }) => ({ kind: event.event_type, json }))
  for (let attempt = 1; ; attempt += 1) {
    lost.throwIfAborted()
    try {
      await log.append(session_id, entries, { after })
      return
    } catch (error) {
      const mayBeStored = attempt > 1 && isAppError(error, 'conflict')
      if (mayBeStored && (await isStored(log, session_id, batch))) return
      const isAway = isAppError(error, 'store_unavailable')
      if (isAppError(error, 'conflict')) throw goneOn(error)
      if (!isAway || attempt === maxAttempts) throw error
      await pause(clock, 50 * 4 ** (attempt - 1), lost)
    }
  }
}

async function pause(clock: Clock, ms: number, lost: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = clock.after(ms, resolve)
  lost.addEventListener('abort', () => resolve(), { once: true })
  await promise
  cancel()
}

async function isStored(log: SessionLog, session_id: string, batch: readonly Entry[]) {
  const after = batch[0]!.seq - 1
  let same = 0
  for await (const rows of readPages(log, session_id, { after, limit: batch.length })) {
    for (const { json } of rows) {
      if (json !== batch[same]!.json) return false
      same += 1
      if (same === batch.length) return true
    }
  }
  return false
}

/** What is told where the log is not where it was thought to be. */
export function goneOn(cause: AppError): AppError {
  const told = 'The session has gone on elsewhere: read its events and try again.'
  return new AppError('conflict', told, { cause })
}
