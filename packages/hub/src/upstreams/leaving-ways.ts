import { type Clock, wait } from '@dataagent/guard'
import type { Link } from './links/link.ts'
import type { PoolKey } from './pool-key.ts'

/** A link with the calls that go over it. */
export interface Way extends PoolKey {
  readonly link: Link
  underWay: number
  /** Set on one that is being left: its last call has ended. */
  onIdle?: (() => void) | undefined
}

/** A call over it has ended. */
export function leaveWay(way: Way): void {
  way.underWay -= 1
  if (way.underWay === 0) way.onIdle?.()
}

/** Ways that are no longer used, on their way out. */
export interface LeavingWays {
  /** Closes it when its calls have ended, and after `drainMs` at the latest. */
  leave(way: Way, drainMs: number): void
  /** Waits for no more calls; settles when nothing is left. */
  end(): Promise<void>
}

export function createLeavingWays(clock: Clock): LeavingWays {
  const ending = new AbortController()
  const leaving = new Set<Promise<void>>()

  return {
    leave(way, drainMs) {
      const left = drain(way, drainMs)
        .then(() => way.link.close())
        .finally(() => leaving.delete(left))
      leaving.add(left)
    },
    async end() {
      ending.abort()
      await Promise.all(leaving)
    },
  }

  async function drain(way: Way, drainMs: number): Promise<void> {
    if (drainMs > 0) await untilIdle(way, { ms: drainMs, signal: ending.signal, clock })
  }
}

/** Waits for the last call over a way that is given no new ones. */
export async function untilIdle(
  way: Way,
  { ms, signal, clock }: { ms: number; signal: AbortSignal; clock: Clock },
): Promise<void> {
  if (way.underWay === 0) return
  const idle = new AbortController()
  way.onIdle = () => idle.abort()
  await wait(clock, ms, AbortSignal.any([idle.signal, signal]))
}
