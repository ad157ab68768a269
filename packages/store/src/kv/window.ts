import type { CheckedLimit } from './arguments.ts'
import type { WindowCount } from './kv.ts'

/** Calls that came close together. They leave the window together, when the last of them may. */
export interface Bucket {
  opened: number
  last: number
  calls: number
}

/**
 * A bucket takes calls for this part of the window: what a call may be counted too long, and why
 * memory is bounded.
 */
export const bucketsPerWindow = 64

/**
 * Counts into `buckets` (oldest first) at time `now`, in place. The Lua script `countScript` does
 * the same.
 */
export function countInto(buckets: Bucket[], limit: CheckedLimit, now: number): WindowCount {
  dropExpired(buckets, limit.windowMs, now)
  const used = buckets.reduce((sum, bucket) => sum + bucket.calls, 0)
  if (used + limit.cost > limit.max) {
    const excess = used + limit.cost - limit.max
    return { status: 'limited', used, retryAfterMs: untilFree(buckets, excess, limit, now) }
  }
  if (limit.cost > 0) addCalls(buckets, limit, now)
  return { status: 'ok', used: used + limit.cost, left: limit.max - used - limit.cost }
}

function dropExpired(buckets: Bucket[], windowMs: number, now: number): void {
  const firstKept = buckets.findIndex((bucket) => bucket.last + windowMs > now)
  buckets.splice(0, firstKept === -1 ? buckets.length : firstKept)
}

function untilFree(
  buckets: Bucket[],
  excess: number,
  { windowMs }: CheckedLimit,
  now: number,
): number {
  let freed = 0
  const lastInTheWay = buckets.find((bucket) => {
    freed += bucket.calls
    return freed >= excess
  })
  return Math.ceil((lastInTheWay?.last ?? now) + windowMs - now)
}

function addCalls(buckets: Bucket[], { cost, windowMs }: CheckedLimit, now: number): void {
  const newest = buckets.at(-1)
  if (newest === undefined || now - newest.opened >= windowMs / bucketsPerWindow) {
    buckets.push({ opened: now, last: now, calls: cost })
  } else {
    newest.last = now
    newest.calls += cost
  }
}
