import { invert } from './invert.ts'

/** Of the normal distribution: 2.5 % of it lie above. */
export const z95 = 1.959963984540054
/** Of the normal distribution: 20 % of it lie above. */
export const z80 = 0.8416212335729143

/** How often an interval may miss the true value, where nothing else is said. */
export const usualAlpha = 0.05

/** Where a true value lies: all but `alpha` of the time, by default 95 times in 100. */
export interface Interval {
  low: number
  high: number
}

/** The interval that misses the true value in a share of `alpha`. */
export type IntervalAt = (alpha: number) => Interval

/** What a normal value lies beyond, on either side, in a share of `alpha`. */
export function zOf(alpha: number): number {
  return alpha === usualAlpha ? z95 : invert(normalBelow, 1 - alpha / 2)
}

/** For 0 and above, by the series of DLMF 7.6.2. */
function normalBelow(z: number): number {
  let term = z
  let sum = z
  for (let k = 3; term > 1e-17 * sum; k += 2) {
    term *= (z * z) / k
    sum += term
  }
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI)
}
