import type { Clock } from '@dataagent/guard'
import type { McpErrorKind } from '../errors.ts'
import type { RequestId } from '../rpc/messages.ts'
import { askingMethods } from './asking.ts'
import type { PendingCall } from './pending-call.ts'

/**
 * Calls that nobody waits for any more, though the server may still be at work on them: what it
 * asks or tells without saying for which call may be for one of these.
 */
export interface AbandonedCalls {
  add(call: PendingCall): void
  /** The server has answered it, and is at work on it no more. */
  remove(id: RequestId): void
  /** Whether there are none but those that `caller` gave up itself. */
  isEmptyBut(caller: string | undefined): boolean
  /** Whether one of them has brought handlers of its own for what the server asks. */
  hasBrought(): boolean
}

/** How a call ends that is not answered, while the connection lives on. */
export const unansweredKinds: ReadonlySet<McpErrorKind> = new Set([
  'cancelled',
  'timeout',
  'network',
])

/**
 * A server that stops the work does not answer a call that was cancelled (2025-11-25,
 * basic/utilities/cancellation, "Behavior Requirements"), so its silence must count at some time.
 */
const keptMs = 10 * 60_000

/** Of more than these at once it is known that there are some, not which. */
const keptMax = 1_024

interface Kept {
  until: number
  isBrought: boolean
  caller: string | undefined
}

export function createAbandonedCalls(clock: Clock): AbandonedCalls {
  /** By id, the oldest first. */
  const kept = new Map<RequestId, Kept>()
  let crowdedUntil = Number.NEGATIVE_INFINITY

  return {
    add({ id, options: { method, questions, caller } }) {
      if (!askingMethods.has(method)) return
      dropOld()
      const until = clock.monotonic() + keptMs
      const isBrought = questions !== undefined
      if (kept.size < keptMax) kept.set(id, { until, isBrought, caller })
      else crowdedUntil = until
    },
    remove: (id) => kept.delete(id),
    isEmptyBut(caller) {
      dropOld()
      if (kept.size === 0) return !isCrowded()
      const isOwn = (one: Kept) => caller !== undefined && one.caller === caller
      return !isCrowded() && kept.values().every(isOwn)
    },
    hasBrought() {
      dropOld()
      return isCrowded() || kept.values().some(({ isBrought }) => isBrought)
    },
  }

  function isCrowded(): boolean {
    return clock.monotonic() < crowdedUntil
  }

  function dropOld(): void {
    const now = clock.monotonic()
    for (const [id, { until }] of kept) {
      if (until > now) return
      kept.delete(id)
    }
  }
}
