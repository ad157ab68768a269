import type { CarryingTest, Origin } from './carried.ts'

const countsOf = { short: 'the counts of `npm test`', long: 'the counts of the long run' }

/** The runs that tests are of; that of most of them first. */
export function originsOf(tests: readonly CarryingTest[]): Origin[] {
  const groups = Map.groupBy(tests, ({ origin }) => toMark(origin))
  const byCount = [...groups.values()].toSorted((one, other) => other.length - one.length)
  return byCount.map(([first]) => first!.origin)
}

/** What a file says that is not of the run of most. */
export function toMark({ day, counts }: Origin): string {
  return counts === undefined ? day : `${counts} run, ${day}`
}

/** When the tests ran and how often they tried, as their runs tell. */
export function toMade([most, ...others]: readonly Origin[]): string {
  if (most === undefined) return 'No test has run.'
  return [
    `Made ${toWords(most)}.`,
    ...others.map((origin) => `Where a file says “${toMark(origin)}”: ${toWords(origin)}.`),
  ].join(' ')
}

const toWords = ({ day, counts }: Origin) =>
  `${day}, with ${counts === undefined ? 'counts that the report does not tell' : countsOf[counts]}`
