/**
 * How often a test repeats its case: `short` in `npm test`, `long` when DATAAGENT_TEST_LONG is set.
 */
export function longCount(short: number, long: number): number {
  return process.env.DATAAGENT_TEST_LONG ? long : short
}

/** The same, or as often as TEST_COUNT says: for those one may want any number of. */
export function chosenCount(short: number, long: number): number {
  const { TEST_COUNT: chosen = '' } = process.env
  if (chosen === '') return longCount(short, long)
  if (/^[1-9]\d*$/.test(chosen)) return Number(chosen)
  throw new Error(`TEST_COUNT is ${chosen}: give a whole number from 1 up`)
}
