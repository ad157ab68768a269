import type { Clock } from '@dataagent/guard'

const everyMs = 20
const windowMs = 2_500
/** Less than this is no lateness but how timers are. */
const usualMs = 20

/** How late the event loop runs what is due. */
export interface LoopDelay {
  /**
   * In ms: what it was late by at least twice within the last seconds. Once is a pause, as when
   * code is loaded or memory collected, and says nothing of what comes next.
   */
  delayMs(): number
  stop(): void
}

/** Looks every 20 ms; does not keep the process alive. */
export function watchLoopDelay(clock: Clock): LoopDelay {
  let late: { at: number; ms: number }[] = []
  let dueAt = clock.monotonic() + everyMs

  function look(): void {
    const now = clock.monotonic()
    const ms = now - dueAt
    dueAt = now + everyMs
    late = late.filter(({ at }) => now - at < windowMs)
    if (ms > usualMs) late.push({ at: now, ms })
  }

  const timer = setInterval(look, everyMs).unref()
  return {
    delayMs() {
      const now = clock.monotonic()
      const recent = late.filter(({ at }) => now - at < windowMs).map(({ ms }) => ms)
      return [...recent, Math.max(0, now - dueAt)].sort((a, b) => b - a)[1] ?? 0
    },
    stop: () => clearInterval(timer),
  }
}
