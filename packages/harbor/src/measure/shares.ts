import type { ShareEstimate } from '@dataagent/schema'
import { type Interval, usualAlpha, z80, z95, zOf } from './normal.ts'

/** So many of so many. */
export interface Share {
  passed: number
  total: number
}

/** A share with its 95 % interval after Wilson (1927). Of none nothing is known: 0 to 1. */
export function wilson(passed: number, total: number): ShareEstimate {
  return wilsonAt({ passed, total }, z95)
}

function wilsonAt({ passed, total }: Share, z: number): ShareEstimate {
  if (total === 0) return { value: 0, low: 0, high: 1 }
  const value = passed / total
  const z2 = z ** 2 / total
  const middle = (value + z2 / 2) / (1 + z2)
  const half = (z / (1 + z2)) * Math.sqrt((value * (1 - value)) / total + z2 / (4 * total))
  // None and all reach the end exactly, which rounding would miss by a little.
  const low = passed === 0 ? 0 : Math.max(0, middle - half)
  const high = passed === total ? 1 : Math.min(1, middle + half)
  return { value, low, high }
}

/** How much greater the second share is: Newcombe (1998), method 10, for samples of their own. */
export function differenceOfShares(
  baseline: Share,
  current: Share,
  { alpha = usualAlpha }: { alpha?: number } = {},
): Interval {
  const z = zOf(alpha)
  const [a, b] = [wilsonAt(baseline, z), wilsonAt(current, z)]
  const difference = b.value - a.value
  return {
    low: Math.max(-1, difference - Math.hypot(b.value - b.low, a.high - a.value)),
    high: Math.min(1, difference + Math.hypot(b.high - b.value, a.value - a.low)),
  }
}

/**
 * The smallest true change of a share that four of five runs like these would show (a power of
 * 80 %), towards the half, where chance is greatest: no other change needs to be larger.
 */
export function smallestVisibleChange(
  baseline: Share,
  trials: number,
  { alpha = usualAlpha }: { alpha?: number } = {},
): number {
  const z = zOf(alpha)
  if (baseline.total === 0 || trials === 0) return 1
  const p = baseline.passed / baseline.total
  const towards = p > 0.5 ? -1 : 1
  const isVisible = (change: number) => {
    const q = Math.min(1, Math.max(0, p + towards * change))
    const variance = (p * (1 - p)) / baseline.total + (q * (1 - q)) / trials
    return change >= (z + z80) * Math.sqrt(variance)
  }
  return smallest(isVisible)
}

/** Between 0 and 1; 1 where it does not hold anywhere. */
function smallest(holds: (value: number) => boolean): number {
  let low = 0
  let high = 1
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}
