import type { Place } from './use-place.ts'

interface Size {
  width: number
  height: number
}

const gap = 12

/**
 * Where a box stands: below what is in the upper half of the screen, else above; all of it seen.
 */
export function beside(place: Place, box: Size, screen: Size): { top: number; left: number } {
  const isHigh = place.top + place.height / 2 < screen.height / 2
  const top = isHigh ? place.top + place.height + gap : place.top - box.height - gap
  const left = place.left + place.width / 2 - box.width / 2
  return {
    top: clamp(top, gap, screen.height - box.height - gap),
    left: clamp(left, gap, screen.width - box.width - gap),
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(value, max))
}
