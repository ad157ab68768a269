import type { Clock } from '@dataagent/guard'
import type { McpError } from '@dataagent/mcp'

export type BreakerState = 'closed' | 'open' | 'half_open'

export interface BreakerOptions {
  clock: Clock
  /** So many failures one after the other open it. Default 5. */
  failures?: number | undefined
  /** How long it is open at first, and at most. Default 1 s and 30 s. */
  firstMs?: number | undefined
  maxMs?: number | undefined
  onChange(state: BreakerState): void
}

/** What a call was let through as; `probe` decides whether the breaker closes. */
export type Admission = 'usual' | 'probe'

/** Keeps calls from a server that fails them all, and lets one through now and then to see. */
export interface Breaker {
  readonly state: BreakerState
  /** How the call goes on, or the milliseconds after which one may try again. */
  admit(): Admission | number
  succeeded(admission: Admission): void
  failed(admission: Admission, error: McpError): void
  /** Something else has shown that the server is there. */
  reset(): void
}

/** Creates a closed breaker. */
export function createBreaker({
  clock,
  failures = 5,
  firstMs = 1_000,
  maxMs = 30_000,
  onChange,
}: BreakerOptions): Breaker {
  let state: BreakerState = 'closed'
  let inARow = 0
  let openMs = firstMs
  let openUntil = 0
  let isProbing = false

  return {
    get state() {
      return state
    },
    admit() {
      if (state === 'closed') return 'usual'
      const leftMs = openUntil - clock.monotonic()
      if (state === 'open' && leftMs > 0) return leftMs
      if (isProbing) return firstMs
      isProbing = true
      enter('half_open')
      return 'probe'
    },
    succeeded,
    failed(admission, error) {
      const judgement = judge(error)
      if (admission === 'probe') isProbing = false
      if (judgement === 'ill') countFailure(admission)
      else if (judgement === 'well') succeeded(admission)
    },
    reset: close,
  }

  function succeeded(admission: Admission): void {
    inARow = 0
    if (admission === 'probe') close()
  }

  function countFailure(admission: Admission): void {
    inARow += 1
    if (admission === 'probe') openMs = Math.min(maxMs, openMs * 2)
    if (admission === 'probe' || (state === 'closed' && inARow >= failures)) {
      openUntil = clock.monotonic() + openMs
      enter('open')
    }
  }

  function close(): void {
    inARow = 0
    openMs = firstMs
    isProbing = false
    enter('closed')
  }

  function enter(next: BreakerState): void {
    if (state === next) return
    state = next
    onChange(next)
  }
}

/**
 * What a failed call says of the server's health. An answer that refuses the call is a sign of
 * life; what ended on our side says nothing.
 */
function judge({ kind, statusCode = 0, retryable, mayHaveRun }: McpError): 'ill' | 'well' | 'none' {
  switch (kind) {
    case 'network':
    case 'timeout':
      return 'ill'
    case 'closed':
      return retryable && mayHaveRun ? 'ill' : 'none'
    case 'http':
      return statusCode >= 500 ? 'ill' : 'well'
    case 'rpc':
    case 'too_large':
    case 'protocol':
      return 'well'
    default:
      return 'none'
  }
}
