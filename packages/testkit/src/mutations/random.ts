/** Numbers that are the same for the same seed. */
export interface Random {
  /** From 0 up to 1. */
  next(): number
  /** A whole number from 0 up to `count`; 0 where that is nothing. */
  below(count: number): number
  of<const L extends readonly [unknown, ...unknown[]]>(list: L): L[number]
  of<T>(list: readonly T[]): T | undefined
}

/** A small generator with a seed: mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number) => Math.floor(next() * count)
  const of = (list: readonly unknown[]) => list[below(list.length)]
  return { next, below, of: of as Random['of'] }
}
