import type { CarryingTest } from './carried.ts'
import { countsIn } from './counts-in.ts'
import type { Row } from './row.ts'

const head = [
  '| | what was tried | tests that passed | with long counts | how often | lost |',
  '| --- | --- | --: | --: | --- | --- |',
]

/** A row for each id: what, how often, and what was lost. */
export function toTable(
  rows: readonly Row[],
  byId: ReadonlyMap<string, readonly CarryingTest[]>,
): string {
  return [...head, ...rows.map((row) => toLine(row, byId.get(row.id) ?? []))].join('\n')
}

function toLine({ id, what }: Row, tests: readonly CarryingTest[]): string {
  const passed = tests.filter(({ status }) => status === 'passed')
  const long = passed.filter(({ origin }) => origin.counts === 'long')
  const cells = [
    ...[`[${id}](#${toAnchor(`${id}: ${what}`)})`, what, `${passed.length}`, `${long.length}`],
    ...[countsIn(passed.map(({ title }) => title)).join(', '), toLost(tests)],
  ]
  return `| ${cells.join(' | ')} |`
}

function toLost(tests: readonly CarryingTest[]): string {
  const failed = tests.filter(({ status }) => status === 'failed').length
  const passed = tests.filter(({ status }) => status === 'passed').length
  if (failed > 0) return `**see what failed: ${failed}**`
  if (passed === 0) return '**not tried**'
  const left = tests.length - passed
  return left > 0 ? `nothing; **left out: ${left}**` : 'nothing'
}

/** As GitHub makes it of a heading. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}
