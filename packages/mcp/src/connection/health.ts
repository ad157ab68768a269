import type { Clock } from '@dataagent/guard'

export interface HealthOptions {
  /** How long a connection may be quiet; 0 probes only on doubt. */
  everyMs: number
  clock: Clock
  /** Asks the server whether it is there and deals with a failure. Never rejects. */
  probe(options: { timeoutMs: number; signal: AbortSignal }): Promise<void>
}

/** Watches over a connection by asking the server when nothing else has shown that it is there. */
export interface Health {
  /** Whether a request is under way. */
  readonly isBusy: boolean
  /** A request begins; to be followed by one `ended`. */
  began(): void
  ended(): void
  /** The server has answered something. */
  alive(): void
  /** A request failed in a way that says nothing good. */
  suspect(): void
  /** As `suspect`, and it shall be asked at once. */
  doubt(): void
  stop(): void
}

const doubtGapMs = 1_000
const timeoutWithoutScheduleMs = 10_000

/**
 * Creates the watch. A connection is quiet when the server has answered nothing for `everyMs` and
 * either no request is under way or one has failed since the last answer. A probe may take half of
 * `everyMs`: a connection that only we hold to be open is found out within 1.5 × `everyMs`.
 */
export function createHealth({ everyMs, clock, probe }: HealthOptions): Health {
  const stopped = new AbortController()
  const timeoutMs = everyMs > 0 ? everyMs / 2 : timeoutWithoutScheduleMs
  let underWay = 0
  let isSuspect = false
  let isProbing = false
  let answeredAt = clock.monotonic()
  let probedAt = Number.NEGATIVE_INFINITY
  let cancelTimer: (() => void) | undefined
  check()

  return {
    get isBusy() {
      return underWay > 0
    },
    began() {
      underWay += 1
    },
    ended() {
      underWay -= 1
      if (cancelTimer === undefined) check()
    },
    alive() {
      answeredAt = clock.monotonic()
      isSuspect = false
    },
    suspect() {
      isSuspect = true
    },
    doubt() {
      isSuspect = true
      if (!isProbing) plan(probedAt + doubtGapMs, run)
    },
    stop() {
      stopped.abort()
      cancelTimer?.()
    },
  }

  function check(): void {
    if (everyMs === 0 || isProbing || stopped.signal.aborted) return
    const due = Math.max(answeredAt, probedAt) + everyMs
    if (due > clock.monotonic()) plan(due, check)
    else if (underWay === 0 || isSuspect) run()
  }

  function plan(at: number, next: () => void): void {
    if (stopped.signal.aborted) return
    cancelTimer?.()
    cancelTimer = clock.after(Math.max(0, at - clock.monotonic()), () => {
      cancelTimer = undefined
      next()
    })
  }

  function run(): void {
    isProbing = true
    void probe({ timeoutMs, signal: stopped.signal }).then(() => {
      isProbing = false
      probedAt = clock.monotonic()
      check()
    })
  }
}
