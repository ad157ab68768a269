/** What looks random and comes out the same for the same seed. */
export interface Random {
  below(limit: number): number
  between(min: number, max: number): number
  chance(percent: number): boolean
  pick<T>(list: readonly T[]): T
  some<T>(list: readonly T[], count: number): T[]
}

/** The generator of Park and Miller. */
export function createRandom(seed: number): Random {
  let state = (seed % 2_147_483_646) + 1

  function below(limit: number): number {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * limit)
  }

  return {
    below,
    between: (min, max) => min + below(max - min + 1),
    chance: (percent) => below(100) < percent,
    pick: (list) => list[below(list.length)]!,
    some: (list, count) =>
      list
        .map((item) => ({ item, rank: below(1_000_000) }))
        .sort((a, b) => a.rank - b.rank)
        .slice(0, count)
        .map(({ item }) => item),
  }
}
