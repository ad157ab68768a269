/** Calls that came close together. They leave the window together, when the last of them may. */
export interface Bucket {
  opened: number
  last: number
  calls: number
}

/** A bucket takes calls for this part of the window, so that a window has few of them. */
const bucketsPerWindow = 64

/** Drops what has left the window; what is left in it. */
export function usedIn(buckets: Bucket[], windowMs: number, now: number): number {
  const firstKept = buckets.findIndex(({ last }) => last + windowMs > now)
  buckets.splice(0, firstKept === -1 ? buckets.length : firstKept)
  return buckets.reduce((sum, { calls }) => sum + calls, 0)
}

/** Counts one call. */
export function addCall(buckets: Bucket[], windowMs: number, now: number): void {
  const newest = buckets.at(-1)
  if (newest === undefined || now - newest.opened >= windowMs / bucketsPerWindow) {
    buckets.push({ opened: now, last: now, calls: 1 })
  } else {
    newest.last = now
    newest.calls++
  }
}

/** How long until `excess` calls have left; all of them where there are fewer. */
export function untilLeft(buckets: Bucket[], excess: number, windowMs: number, now: number) {
  let left = 0
  const inTheWay = buckets.find(({ calls }) => {
    left += calls
    return left >= excess
  })
  const last = (inTheWay ?? buckets.at(-1))?.last ?? now
  return Math.ceil(last + windowMs - now)
}
