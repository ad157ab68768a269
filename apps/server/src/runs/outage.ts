import type { Clock } from '@dataagent/guard'

/** A line for the log. */
export interface RunLogEntry {
  level: 'info' | 'warn' | 'error'
  message: string
  error?: unknown
  session_id?: string
  run_id?: string
}

/** Something that is done time and again: one line when it fails, one when it works again. */
export interface Outage {
  failed(error: unknown): void
  worked(): void
}

export interface OutageOptions {
  /** What is said when it fails. */
  away: string
  /** What is said when it works again. */
  back: string
  clock: Clock
  /** Must not throw. */
  onLog(entry: RunLogEntry): void
}

export function createOutage({ away, back, clock, onLog }: OutageOptions): Outage {
  let since: number | undefined

  return {
    failed(error) {
      if (since !== undefined) return
      since = clock.monotonic()
      onLog({ level: 'error', message: away, error })
    },
    worked() {
      if (since === undefined) return
      const seconds = Math.round((clock.monotonic() - since) / 1000)
      since = undefined
      onLog({ level: 'info', message: `${back} after ${seconds} s` })
    },
  }
}
