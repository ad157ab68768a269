import type { Counts } from '../../../scripts/reported-run.mjs'
import type { Row } from './row.ts'

/** A test whose title carries the ids of rows. */
export interface CarryingTest {
  title: string
  /** Path from the root. */
  file: string
  status: string
  origin: Origin
}

/** The run that a test is of. */
export interface Origin {
  /** YYYY-MM-DD */
  day: string
  counts?: Counts | undefined
}

/** What vitest's JSON report has, with how often its tests tried and where. */
export interface TestRun {
  /** In milliseconds since 1970. */
  startTime?: number
  /** Unset in a report that does not tell. */
  counts?: Counts
  /** Of the files that it names; unset: ours. */
  root?: string
  testResults: {
    name: string
    assertionResults: { fullName: string; status: string }[]
  }[]
}

const id = '[A-Z]\\d+(?:\\.\\d+)?'
const group = new RegExp(`\\[${id}(?:,\\s*${id})*\\]`, 'g')

/** Of `[F17]`, `[F17][T40]`, `[F17, T40]` and, beside ids of requirements, `[D3.4, F17]`. */
export function idsIn(title: string): string[] {
  const all = title.match(group)?.flatMap((one) => one.slice(1, -1).split(/,\s*/)) ?? []
  return all.filter((one) => /^[FT]\d+$/.test(one))
}

export function testsById(tests: readonly CarryingTest[]): Map<string, CarryingTest[]> {
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
