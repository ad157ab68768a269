/**
 * How often a test repeats its case: `short` in `npm test`, `long` when DATAAGENT_TEST_LONG is set.
 */
export function longCount(short: number, long: number): number {
  return process.env.DATAAGENT_TEST_LONG ? long : short
}

/**
 * The same, or as often as the environment says, by that name or for all by TEST_COUNT: for those
 * one may want any number of.
 */
export function chosenCount(name: string, short: number, long: number): number {
  const asked = [name, 'TEST_COUNT'].find((one) => (process.env[one] ?? '') !== '')
  if (asked === undefined) return longCount(short, long)
  const chosen = process.env[asked] ?? ''
  if (/^[1-9]\d*$/.test(chosen)) return Number(chosen)
  throw new Error(`${asked} is ${chosen}: give a whole number from 1 up`)
}
