import { invert } from './invert.ts'

/** What a value of Student's t stays below with this probability (0.5 to 1). */
export function studentQuantile(probability: number, freedom: number): number {
  return invert((t) => studentBelow(t, freedom), probability)
}

function studentBelow(t: number, freedom: number): number {
  return 1 - betaShare(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
}

/** The regularised incomplete beta function, by its continued fraction (DLMF 8.17.22). */
function betaShare(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges fast on this side only.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a)
  const front = a * Math.log(x) + b * Math.log(1 - x) + logGamma(a + b) - logGamma(a) - logGamma(b)
  return (Math.exp(front) / a) * betaFraction(x, a, b)
}

/** By Lentz's method, from the front. */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    for (const term of [even, odd]) {
      d = 1 / awayFromZero(1 + term * d)
      c = awayFromZero(1 + term / c)
      fraction *= c * d
    }
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return fraction
}

function awayFromZero(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value
}

/** Stirling's series (DLMF 5.11.1), where it is exact to 12 digits: above 10. */
function logGamma(x: number): number {
  let shift = 0
  let y = x
  for (; y < 10; y += 1) shift += Math.log(y)
  const series = 1 / (12 * y) - 1 / (360 * y ** 3) + 1 / (1260 * y ** 5) - 1 / (1680 * y ** 7)
  return (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + series - shift
}
