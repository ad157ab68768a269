/**
 * How often a test repeats its case: `short` in `npm test`, `long` when DATAAGENT_TEST_LONG is set.
 */
export function longCount(short: number, long: number): number {
  return process.env.DATAAGENT_TEST_LONG ? long : short
}
