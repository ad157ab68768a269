import type { Clock } from './clock.ts'

/** A line for the log. */
export interface OutageLine {
  level: 'info' | 'error'
  message: string
  error?: unknown
}

/** Something that is done time and again: one line when it fails, one when it works again. */
export interface Outage {
  failed(error: unknown): void
  worked(): void
  /** Looks no more whether it works again. */
  close(): void
}

export interface OutageOptions {
  /** What is said when it fails. */
  away: string
  /** What is said when it works again. */
  back: string
  /** Asked time and again where nobody calls `worked`. */
  isBack?: (() => boolean) | undefined
  clock: Clock
  /** Must not throw. */
  onLog(line: OutageLine): void
}

const lookEveryMs = 500

/** Tells once that something is away, and once that it works again and after how long. */
export function createOutage({ away, back, isBack, clock, onLog }: OutageOptions): Outage {
  let since: number | undefined
  let cancel = () => {}

  function worked(): void {
    if (since === undefined) return
    const seconds = Math.round((clock.monotonic() - since) / 1000)
    since = undefined
    cancel()
    onLog({ level: 'info', message: `${back} after ${seconds} s` })
  }

  function lookLater(): void {
    if (isBack) cancel = clock.after(lookEveryMs, () => (isBack() ? worked() : lookLater()))
  }

  return {
    failed(error) {
      if (since !== undefined) return
      since = clock.monotonic()
      onLog({ level: 'error', message: away, error })
      lookLater()
    },
    worked,
    close: () => cancel(),
  }
}
