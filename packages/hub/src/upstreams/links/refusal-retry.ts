import type { Clock } from '@dataagent/guard'
import type { McpError } from '@dataagent/mcp'
import type { ReconnectWaits } from '../contract.ts'

export interface RefusalRetryOptions {
  clock: Clock
  /** Those after a loss; after a refusal the first is four times that. Default 250 ms and 60 s. */
  waits?: ReconnectWaits | undefined
  retry(): void
}

/**
 * A server that refuses its credential is asked again, ever more rarely: a gateway before it may
 * have been restarted, or the credential was put right at its side. What only a change of ours can
 * help (a configuration, an address that is not allowed) is not.
 */
export interface RefusalRetry {
  /** When the next attempt begins, milliseconds since 1970. */
  failed(error: McpError): number | undefined
  stop(): void
}

const usual: ReconnectWaits = { firstMs: 250, maxMs: 60_000 }

export function createRefusalRetry(options: RefusalRetryOptions): RefusalRetry {
  const { clock, waits = usual, retry } = options
  let cancel: (() => void) | undefined
  let failures = 0

  return {
    failed(error) {
      cancel?.()
      if (error.kind !== 'http') return undefined
      const whole = Math.min(waits.maxMs, 4 * waits.firstMs * 2 ** failures)
      const ms = whole * (1 - Math.random() / 2)
      failures += 1
      cancel = clock.after(ms, retry)
      return clock.now() + ms
    },
    stop() {
      cancel?.()
      failures = 0
    },
  }
}
