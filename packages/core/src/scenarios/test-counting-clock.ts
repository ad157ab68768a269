import { type Clock, systemClock } from '@dataagent/guard'

/** The system's clock, which knows how many of its timers have neither run nor been cancelled. */
export function createCountingClock(): Clock & { waiting(): number } {
  const waiting = new Set<object>()
  return {
    ...systemClock,
    after(ms, run) {
      const own = {}
      waiting.add(own)
      const cancel = systemClock.after(ms, () => {
        waiting.delete(own)
        run()
      })
      return () => {
        waiting.delete(own)
        cancel()
      }
    },
    waiting: () => waiting.size,
  }
}
