import type { TestRun } from './carried.ts'

const countsOf = { short: 'the counts of `npm test`', long: 'the counts of the long run' }

/** When the tests ran and how often they tried, as the run itself tells. */
export function toMade({ startTime, counts }: Pick<TestRun, 'startTime' | 'counts'>): string {
  const day = new Date(startTime ?? Date.now()).toISOString().slice(0, 10)
  return `Made ${day}, with ${counts === undefined ? 'counts that the report does not tell' : countsOf[counts]}.`
}
