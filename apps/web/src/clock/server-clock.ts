import { createContext, use, useEffect, useState } from 'react'

/** The time of the server, as far as it has told: the browser's clock may be wrong. */
export interface ServerClock {
  /** What the server said the time is, just now. */
  hear(at: number): void
  now(): number
}

/** So much is the way of a message, and no difference of clocks. */
const toleranceMs = 2000

export function createServerClock(own: () => number = Date.now): ServerClock {
  let ahead = 0
  return {
    hear(at) {
      const difference = at - own()
      ahead = Math.abs(difference) > toleranceMs ? difference : 0
    },
    now: () => own() + ahead,
  }
}

export const ServerClockContext = createContext<Pick<ServerClock, 'now'>>(createServerClock())

/** The time, taken again every so often. */
export function useNow(everyMs: number): number {
  const clock = use(ServerClockContext)
  const [now, setNow] = useState(clock.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), everyMs)
    return () => clearInterval(timer)
  }, [clock, everyMs])
  return now
}
