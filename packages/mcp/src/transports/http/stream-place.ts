import type { Headers } from './headers.ts'
import type { MessageSource } from './message-source.ts'

/** How far a stream of the server has been read, and when it may be opened again. */
export interface StreamPlace {
  /** Keeps what a stream has told by its end; whether that is further on. */
  note(source: MessageSource): boolean
  /** It brought something: what was in vain before no longer counts. */
  worked(): void
  /** How long to wait before the next attempt: what the server asked for, longer after failures. */
  nextDelayMs(options: { isFailure: boolean }): number
  headers(): Headers | undefined
}

/** What a server may ask for as its `retry`. */
const retryBounds = { min: 100, max: 300_000 }

const backoff = { firstMs: 1_000, maxMs: 60_000 }

export function createStreamPlace(): StreamPlace {
  let lastEventId: string | undefined
  let retryMs: number | undefined
  let inVain = 0

  return {
    note(source) {
      const isNew = source.lastEventId !== undefined && source.lastEventId !== lastEventId
      lastEventId = source.lastEventId ?? lastEventId
      retryMs = source.retryMs ?? retryMs
      return isNew
    },
    worked() {
      inVain = 0
    },
    nextDelayMs({ isFailure }) {
      const backoffMs = Math.min(backoff.firstMs * 2 ** inVain, backoff.maxMs)
      inVain += 1
      if (retryMs === undefined) return backoffMs
      const askedMs = Math.min(Math.max(retryMs, retryBounds.min), retryBounds.max)
      return isFailure ? Math.max(askedMs, backoffMs) : askedMs
    },
    headers() {
      if (lastEventId === undefined) return undefined
      // An id is UTF-8, and a header holds bytes (HTML standard, section 9.2.4).
      return { 'last-event-id': Buffer.from(lastEventId).toString('latin1') }
    },
  }
}
