import type { Clock, Egress, EgressResponse } from '@dataagent/guard'
import { isAppError, isPlainObject, parseJson } from '@dataagent/schema'
import type { Attributes } from './contract.ts'
import { type EndedSpan, toTracesJson } from './otlp-json.ts'

/** What was given up, and why, for a log line. Holds no header and nothing of a span. */
export interface DroppedSpans {
  spans: number
  reason: string
}

export interface ExporterOptions {
  url: string
  headers: Record<string, string>
  egress: Egress
  resource: Attributes
  clock: Clock
  maxQueue: number
  maxBatch: number
  everyMs: number
  onDropped: (dropped: DroppedSpans) => void
}

/** Sends spans in batches, one request at a time. Never throws. */
export interface Exporter {
  push(span: EndedSpan): void
  readonly dropped: number
  /** Resolves when what waits now is sent or given up, at the latest after `timeoutMs`. */
  flush(timeoutMs: number): Promise<void>
  close(timeoutMs: number): Promise<void>
}

type Verdict =
  | { status: 'sent'; rejected: number; reason: string }
  | { status: 'again'; reason: string; afterMs: number | undefined }
  | { status: 'refused'; reason: string }

const maxAttempts = 5
const requestMs = 10_000
const backoffMs = { first: 1_000, most: 30_000 }

export function createExporter(options: ExporterOptions): Exporter {
  const { clock, maxQueue, maxBatch, everyMs } = options
  const closing = new AbortController()
  let queue: EndedSpan[] = []
  let dropped = 0
  let overflown = 0
  let running: Promise<void> | undefined
  let cancelTimer: (() => void) | undefined
  let wake: (() => void) | undefined

  function run(): void {
    cancelTimer?.()
    cancelTimer = undefined
    running ??= sendAll().finally(() => {
      running = undefined
      // One may have come after the last look at the queue.
      if (queue.length > 0) runLater()
    })
  }

  function runLater(): void {
    if (!closing.signal.aborted) cancelTimer ??= clock.after(everyMs, run)
  }

  async function sendAll(): Promise<void> {
    while (queue.length > 0 && !closing.signal.aborted) {
      const batch = queue.slice(0, maxBatch)
      queue = queue.slice(maxBatch)
      await sendPatiently(batch)
      reportOverflow()
    }
  }

  async function sendPatiently(batch: EndedSpan[]): Promise<void> {
    const body = toTracesJson(batch, options.resource)
    for (let attempt = 1; ; attempt += 1) {
      const verdict = await send(options, body, closing.signal)
      if (verdict.status === 'sent') {
        if (verdict.rejected > 0) drop(verdict.rejected, verdict.reason)
        return
      }
      const isLast = attempt === maxAttempts || closing.signal.aborted
      if (verdict.status === 'refused' || isLast) return drop(batch.length, verdict.reason)
      await pause(verdict.afterMs ?? toBackoff(attempt))
    }
  }

  /** Ends early where the exporter is closed. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(Math.min(ms, backoffMs.most), resolve)
      wake = () => {
        cancel()
        resolve()
      }
    })
  }

  function drop(spans: number, reason: string): void {
    dropped += spans
    try {
      options.onDropped({ spans, reason })
    } catch {
      // Whoever listens cannot hold up spans.
    }
  }

  /** Once for many: a receiver that does not keep up must not fill the log too. */
  function reportOverflow(): void {
    if (overflown > 0)
      drop(overflown, 'the receiver does not keep up: the oldest spans are dropped')
    overflown = 0
  }

  async function flush(timeoutMs: number): Promise<void> {
    run()
    await within(clock, timeoutMs, running ?? Promise.resolve())
  }

  return {
    push(span) {
      if (closing.signal.aborted) return
      queue.push(span)
      if (queue.length > maxQueue) {
        queue.shift()
        overflown += 1
      }
      if (queue.length >= maxBatch) run()
      else if (!running) runLater()
    },
    get dropped() {
      return dropped + overflown
    },
    flush,
    async close(timeoutMs) {
      await flush(timeoutMs)
      closing.abort()
      wake?.()
      cancelTimer?.()
      await running
      if (queue.length > 0) drop(queue.length, 'the receiver did not take them before the end')
      queue = []
      reportOverflow()
    },
  }
}

async function send(
  { url, headers, egress, clock }: ExporterOptions,
  body: string,
  signal: AbortSignal,
): Promise<Verdict> {
  try {
    const response = await egress.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
      redirect: 'error',
      timeoutMs: requestMs,
      maxResponseBytes: 64 * 1024,
    })
    return toVerdict(response.status, await response.text(), toRetryAfter(response, clock))
  } catch (error) {
    return toFailure(error)
  }
}

/** OTLP/HTTP: these four mean "try again", every other refusal is final. */
const tryAgain = new Set([429, 502, 503, 504])

function toVerdict(status: number, body: string, afterMs: number | undefined): Verdict {
  if (status >= 200 && status < 300) return { status: 'sent', ...toPartialSuccess(body) }
  const reason = `the receiver answered with status ${status}`
  return tryAgain.has(status) ? { status: 'again', reason, afterMs } : { status: 'refused', reason }
}

function toFailure(error: unknown): Verdict {
  const code = isAppError(error) ? error.code : 'internal'
  const reason = `the receiver could not be reached (${code})`
  const isFinal = code === 'egress_denied' || code === 'invalid_request'
  return isFinal ? { status: 'refused', reason } : { status: 'again', reason, afterMs: undefined }
}

/** An answer that is no JSON is taken for success: its status said so. */
function toPartialSuccess(body: string): { rejected: number; reason: string } {
  const none = { rejected: 0, reason: '' }
  try {
    const answer = body === '' ? {} : parseJson(body)
    const partial = isPlainObject(answer) ? answer.partialSuccess : undefined
    if (!isPlainObject(partial)) return none
    const rejected = Number(partial.rejectedSpans ?? 0)
    return rejected > 0 ? { rejected, reason: 'the receiver refused some of the spans' } : none
  } catch {
    return none
  }
}

function toRetryAfter({ headers }: EgressResponse, clock: Clock): number | undefined {
  const value = headers['retry-after']
  if (typeof value !== 'string') return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - clock.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

function toBackoff(attempt: number): number {
  return backoffMs.first * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
}

function within(clock: Clock, ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    void work.then(() => {
      cancel()
      resolve()
    })
  })
}
