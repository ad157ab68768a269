/** Where a distribution whose middle is at 0 reaches a probability of 0.5 to 1. */
export function invert(below: (value: number) => number, probability: number): number {
  let low = 0
  let high = 1
  while (below(high) < probability && high < 1e12) high *= 2
  for (let step = 0; step < 100 && high - low > 1e-12 * high; step += 1) {
    const middle = (low + high) / 2
    if (below(middle) < probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}
