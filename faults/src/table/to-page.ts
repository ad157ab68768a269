import type { CarryingTest } from './carried.ts'
import type { Row } from './row.ts'
import { type Share, toFigures } from './to-figures.ts'
import { originsOf, toMade, toMark } from './to-made.ts'
import { toTable } from './to-table.ts'

export interface Section {
  title: string
  rows: readonly Row[]
}

const head = [
  '# What was tried',
  '',
  'Written by `npm run faults`; do not edit. Each row is something that goes wrong by itself (F) or',
  'that somebody may try (T). Its number leads to what is promised then, and to the tests that try',
  'it. A row whose tests all passed has lost nothing: no acknowledged event, no decision, no secret,',
  'and no effect twice. How often is added up from the names of the tests that passed.',
  '',
].join('\n')

/** The page of all rows with the tests that carry them, as they ended. */
export function toPage(
  sections: readonly Section[],
  byId: ReadonlyMap<string, readonly CarryingTest[]>,
  figures: Readonly<Record<string, Share>> = {},
): string {
  const origins = originsOf([...new Set([...byId.values()].flat())])
  const [usual] = origins.map(toMark)
  const parts = sections.map(({ title, rows }) =>
    [`## ${title}`, '', ...rows.map((row) => toPart(row, byId.get(row.id) ?? [], usual))].join(
      '\n',
    ),
  )
  const rows = sections.flatMap((section) => section.rows)
  const kept = toFigures(figures)
  const long = kept === '' ? [] : [kept, '']
  const table = toTable(rows, byId)
  return `${[head, ...long, toMade(origins), '', table, '', ...parts].join('\n').trimEnd()}\n`
}

/** Of many tests of one file some stand for the others. */
const mostTold = 5

function toPart(
  { id, what, promise, none }: Row,
  tests: readonly CarryingTest[],
  usual: string | undefined,
): string {
  const byFile = Map.groupBy(tests, ({ file, origin }) => {
    const mark = toMark(origin)
    return `\`${file}\`${mark === usual ? '' : ` (${mark})`}`
  })
  const lines = [...byFile].flatMap(([file, own]) => toLines(file, own))
  const body = none === undefined ? lines : [`No test: ${none}.`]
  return [`### ${id}: ${what}`, '', `Promised: ${promise}.`, '', ...body, ''].join('\n')
}

function toLines(file: string, tests: readonly CarryingTest[]): string[] {
  const bad = tests.filter(({ status }) => status !== 'passed')
  const good = tests.filter(({ status }) => status === 'passed')
  const more = good.length - mostTold
  return [
    `- ${file}`,
    ...bad.map(({ title, status }) => `  - **${status}** ${clean(title)}`),
    ...good.slice(0, mostTold).map(({ title }) => `  - ${clean(title)}`),
    ...(more > 0 ? [`  - and ${more} more that passed`] : []),
  ]
}

const longest = 160

/** Titles may carry what was tried: neither long nor invisible characters reach the page. */
function clean(title: string): string {
  const bare = title.replace(/\s*\[[A-Z]\d+(?:\.\d+)?(?:,\s*[A-Z]\d+(?:\.\d+)?)*\]/g, '')
  const characters = [...bare]
  const cut = characters.length > longest ? [...characters.slice(0, longest - 1), '…'] : characters
  return cut
    .join('')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, toEscape)
    .replaceAll('|', '\\|')
}

function toEscape(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`
}
