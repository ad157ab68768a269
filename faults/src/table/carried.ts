import type { Row } from './row.ts'

/** A test whose title carries the ids of rows. */
export interface CarryingTest {
  title: string
  /** Path from the root. */
  file: string
  status: string
}

/** What vitest's JSON report has, and how often it tried. */
export interface TestRun {
  /** In milliseconds since 1970. */
  startTime?: number
  /** Unset in a report of `npm test`, which does not tell. */
  counts?: 'short' | 'long'
  testResults: {
    name: string
    assertionResults: { fullName: string; status: string }[]
  }[]
}

/** `[F17]`, `[F17][T40]` and `[F17, T40]`. */
export function idsIn(title: string): string[] {
  const groups = title.match(/\[[FT]\d+(?:,\s*[FT]\d+)*\]/g) ?? []
  return groups.flatMap((group) => group.slice(1, -1).split(/,\s*/))
}

export function testsById(run: TestRun, root: string): Map<string, CarryingTest[]> {
  const tests = run.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      ...{ title: fullName, status, file: name.replace(`${root}/`, '') },
    })),
  )
  const byId = new Map<string, CarryingTest[]>()
  for (const test of tests) {
    for (const id of idsIn(test.title)) byId.set(id, [...(byId.get(id) ?? []), test])
  }
  return byId
}

/** What is wrong with a table: rows without a test or a reason, ids without a row. */
export function findGaps(rows: readonly Row[], carried: ReadonlySet<string>): string[] {
  const known = new Set(rows.map(({ id }) => id))
  return [
    ...rows
      .filter(({ id, none }) => !carried.has(id) && none === undefined)
      .map(({ id, what }) => `${id} (${what}) has neither a test nor a reason`),
    ...rows
      .filter(({ id, none }) => carried.has(id) && none !== undefined)
      .map(({ id }) => `${id} has a test and a reason why it has none`),
    ...[...carried].filter((id) => !known.has(id)).map((id) => `${id} is no row of the table`),
  ]
}
