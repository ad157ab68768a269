/** Draws times in whole milliseconds, the same ones each time. */
export type Distribution = (count: number) => number[]

/** All alike. */
export const fixed: Distribution = (count) => Array(count).fill(30)

/** As answers of servers mostly are: a middle of 40 ms and a long tail. */
export const lognormal: Distribution = (count) => {
  const uniform = createUniform(1)
  return Array.from({ length: count }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
    return Math.round(40 * Math.exp(0.6 * normal)) + 1
  })
}

/** Nine of ten from a cache, the tenth not. */
export const bimodal: Distribution = (count) => {
  const uniform = createUniform(2)
  return Array.from({ length: count }, () =>
    Math.round(uniform() < 0.9 ? 15 + 10 * uniform() : 250 + 100 * uniform()),
  )
}

/** The generator of Park and Miller. */
function createUniform(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** By the nearest rank, `share` from 0 to 1. */
export function exactPercentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}
