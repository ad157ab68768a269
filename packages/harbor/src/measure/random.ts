/** Chance that can be had again: the same seed gives the same numbers on every machine. */
export interface Random {
  /** From 0, below 1. */
  uniform(): number
  beta(a: number, b: number): number
}

export function createRandom(seed: number): Random {
  const uniform = createUniform(seed)

  /** By Box and Muller. */
  function normal(): number {
    return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  }

  /** By Marsaglia and Tsang (2000), for a shape of at least 1. */
  function gamma(shape: number): number {
    const d = shape - 1 / 3
    for (;;) {
      const x = normal()
      const v = (1 + x / Math.sqrt(9 * d)) ** 3
      if (v > 0 && Math.log(1 - uniform()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v
    }
  }

  return {
    uniform,
    beta(a, b) {
      const [x, y] = [gamma(a), gamma(b)]
      return x / (x + y)
    },
  }
}

/** The generator mulberry32. */
function createUniform(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
