import type { Clock } from '@dataagent/guard'
import { AppError, type ExecutionEvent, isAppError, type SentEvent } from '@dataagent/schema'
import type { SessionLog } from '../session/index.ts'
import type { Conversation } from './conversation.ts'

/** An event of the run as it is sent: with its place. */
export type RunEvent = SentEvent & ExecutionEvent

/**
 * What a run says, in order: each event is appended to the log, then folded, then sent. Text is
 * sent at once and logged in chunks.
 */
export interface RunLog {
  /** Resolves when the event is durable and sent. Rejects where the log cannot take it. */
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
  send(event: RunEvent): void
}

/** How long text may be sent and not logged. */
const chunkMs = 250
const maxAttempts = 5

interface Entry {
  event: ExecutionEvent
  seq: number
  json: string
  /** Text that was sent as it came. */
  wasSent: boolean
}

interface PendingText {
  seq: number
  content: string
  restarts: boolean
}

export function createRunLog(options: RunLogOptions): RunLog {
  const { session_id, run_id, conversation, clock, send, log } = options
  const failed = new AbortController()
  let nextSeq = conversation.head + 1
  let queue: Entry[] = []
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

  function enqueue(event: ExecutionEvent, wasSent = false): void {
    const seq = nextSeq++
    queue.push({ event, seq, wasSent, json: JSON.stringify(place(event, seq)) })
  }

  /** The text so far becomes an event, ahead of what comes next. */
  function logText(is_final: boolean): void {
    cancelChunk?.()
    cancelChunk = undefined
    if (text === undefined) return
    const { content, seq, restarts: begins } = text
    text = undefined
    const event = toText(content, { is_final, restarts: begins, timestamp: clock.now() })
    if (is_final) sendText('', { seq, offset: content.length, is_final })
    enqueue(event, true)
  }

  function sendText(content: string, at: { seq: number; offset: number; is_final: boolean }): void {
    const { seq, offset, is_final } = at
    const begins = offset === 0 && text?.restarts === true
    const event = toText(content, { is_final, restarts: begins, timestamp: clock.now() })
    send({ ...place(event, seq), offset } as RunEvent)
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
        const batch = queue
        queue = []
        await commit(batch)
      }
    })
    return writing
  }

  async function commit(batch: readonly Entry[]): Promise<void> {
    try {
      await appendPatiently({ log, session_id, clock }, batch)
    } catch (error) {
      failed.abort(error)
      throw error
    }
    for (const { event, seq, wasSent } of batch) {
      conversation.apply(event, { seq, run_id })
      if (!wasSent) send(place(event, seq) as RunEvent)
    }
  }

  return {
    failed: failed.signal,
    async write(...events) {
      if (isClosed) throw new AppError('cancelled', 'The run has ended.')
      logText(false)
      for (const event of events) enqueue(event)
      return startWriting()
    },
    note(...events) {
      if (isClosed) return
      logText(false)
      for (const event of events) enqueue(event)
      schedule()
    },
    text(content) {
      if (content === '' || isClosed) return
      if (text === undefined) {
        text = { seq: nextSeq, content: '', restarts }
        restarts = false
        cancelChunk = clock.after(chunkMs, () => {
          logText(false)
          startWriting().catch(() => {})
        })
      }
      sendText(content, { seq: text.seq, offset: text.content.length, is_final: false })
      text.content += content
      hasSentText = true
    },
    restartText() {
      logText(false)
      restarts ||= hasSentText
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

/**
 * While the database is away the run waits a little. Whether an append that failed so was made all
 * the same, the log tells when it is made again.
 */
async function appendPatiently(
  { log, session_id, clock }: Pick<RunLogOptions, 'log' | 'session_id' | 'clock'>,
  batch: readonly Entry[],
): Promise<void> {
  const after = batch[0]!.seq - 1
  const entries = batch.map(({ event, json }) => ({ kind: event.event_type, json }))
  for (let attempt = 1; ; attempt += 1) {
    try {
      await log.append(session_id, entries, { after })
      return
    } catch (error) {
      const mayBeStored = attempt > 1 && isAppError(error, 'conflict')
      if (mayBeStored && (await isStored(log, session_id, batch))) return
      const isAway = isAppError(error, 'store_unavailable')
      if (!isAway || attempt === maxAttempts) throw toRunError(error)
      await pause(clock, 50 * 4 ** (attempt - 1))
    }
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve))
}

async function isStored(log: SessionLog, session_id: string, batch: readonly Entry[]) {
  const after = batch[0]!.seq - 1
  const rows = await log.read(session_id, { after, limit: batch.length })
  return rows.length === batch.length && rows.every(({ json }, i) => json === batch[i]!.json)
}

function toRunError(error: unknown): unknown {
  if (!isAppError(error, 'conflict')) return error
  const told = 'The session has gone on elsewhere: read its events and try again.'
  return new AppError('conflict', told, { cause: error })
}
