import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CarryingTest, findGaps, idsIn, testsById } from './carried.ts'
import { faults } from './faults.ts'
import type { Row } from './row.ts'
import { threats } from './threats.ts'
import { toPage } from './to-page.ts'

const root = join(import.meta.dirname, '../../..')
const rows = [...faults, ...threats]

/** Ids in the sources of all tests but those of the table, by file. */
async function carriedIds(): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>()
  for (const place of ['packages', 'apps', 'examples', 'scripts', 'bench', 'faults']) {
    const files = await readdir(join(root, place), { recursive: true })
    const paths = files.map((file) => `${place}/${file}`)
    const tests = paths.filter((file) => /(?:\.test\.ts|\/describe-[^/]+\.ts)$/.test(file))
    const own = tests.filter(
      (file) => !/\/(?:node_modules|dist)\//.test(file) && !file.startsWith('faults/src/table/'),
    )
    for (const file of own) {
      const text = await readFile(join(root, file), 'utf8')
      ids.set(file, [...new Set(idsIn(text))])
    }
  }
  return ids
}

/** The files of each row of the page, as `id: file`. */
async function onPage(): Promise<Set<string>> {
  const page = await readFile(join(root, 'docs/faults.md'), 'utf8')
  const parts = page.split(/^### /m).slice(1)
  const told = parts.flatMap((part) => {
    const id = part.slice(0, part.indexOf(':'))
    return [...part.matchAll(/^- `([^`]+)`/gm)].map(([, file]) => `${id}: ${file}`)
  })
  return new Set(told)
}

test('every fault and every threat has a test that carries it, or a reason', async () => {
  const carried = new Set([...(await carriedIds()).values()].flat())
  expect(findGaps(rows, carried)).toEqual([])
})

test('each test file stands in the rows of the page that it carries, and none that is gone', async () => {
  const byFile = await carriedIds()
  const told = await onPage()
  const tests = [...byFile].filter(([file]) => file.endsWith('.test.ts'))
  const carried = tests.flatMap(([file, ids]) => ids.map((id) => `${id}: ${file}`))
  const missing = carried.filter((line) => !told.has(line))
  expect(missing, 'docs/faults.md is older: see npm run faults in CONTRIBUTING.md').toEqual([])
  const files = [...told].map((line) => line.slice(line.indexOf(' ') + 1))
  expect(files.filter((file) => !byFile.has(file))).toEqual([])
})

test('the rows are all there, in order', () => {
  expect(faults.map(({ id }) => id)).toEqual(Array.from({ length: 34 }, (_, at) => `F${at + 1}`))
  expect(threats.map(({ id }) => id)).toEqual(Array.from({ length: 66 }, (_, at) => `T${at + 1}`))
})

test('ids are found in every way to write them', () => {
  expect(idsIn('one [F17] [D1.2] two [F18][T40], [F19, T41], [D24.4, F20]')).toEqual([
    ...['F17', 'F18', 'T40', 'F19', 'T41', 'F20'],
  ])
  expect(idsIn('a list [F1, x], a [D1.2] and [F1.2]')).toEqual([])
})

test('gaps are found', () => {
  const table = [
    { id: 'F1', what: 'One', promise: 'a' },
    { id: 'F2', what: 'Two', promise: 'b', none: 'it cannot be' },
  ]
  expect(findGaps(table, new Set(['F2', 'F9']))).toEqual([
    'F1 (One) has neither a test nor a reason',
    'F2 has a test and a reason why it has none',
    'F9 is no row of the table',
  ])
})

const origin = { day: '2026-11-18', counts: 'long' } as const

function aTest(test: Partial<CarryingTest>): CarryingTest {
  return { title: 'one [F1]', file: 'a.test.ts', status: 'passed', origin, ...test }
}

function pageOf(rows: readonly Row[], tests: readonly CarryingTest[]): string {
  return toPage([{ title: 'All', rows }], testsById(tests))
}

const some: readonly Row[] = [
  { id: 'F1', what: 'One', promise: 'a' },
  { id: 'F2', what: 'Two', promise: 'b', none: 'it cannot be' },
]

test('the page names each row, its promise, its tests and how they ended', () => {
  const titles = { '10 kills lose nothing [F1, T2]': 'passed', 'a | b [F1] [D1.2]': 'failed' }
  const tests = Object.entries(titles).map(([title, status]) => aTest({ title, status }))
  const page = pageOf(some, tests)
  expect(page).toContain(
    '### F1: One\n\nPromised: a.\n\n- `a.test.ts`\n  - **failed** a \\| b\n  - 10 kills lose nothing\n',
  )
  expect(page).toContain('### F2: Two\n\nPromised: b.\n\nNo test: it cannot be.\n')
})

test('the table tells of each row how often it was tried, and that nothing was lost', () => {
  const origins = [origin, { day: '2026-11-19', counts: 'short' }] as const
  const tests = origins.map((origin) => aTest({ title: '500 kills [F1]', origin }))
  expect(pageOf(some, tests)).toContain(
    '| [F1](#f1-one) | One | 2 | 1 | 1,000 kills | nothing |\n' +
      '| [F2](#f2-two) | Two | 0 | 0 |  | **not tried** |\n',
  )
})

test('figures of long runs stand above the table', () => {
  const shares = { tenants: { made: '2026-11-18', calls: 1_000_000, crossed: 0, wrong: 0 } }
  const page = toPage([{ title: 'All', rows: some }], testsById([aTest({})]), shares)
  expect(page).toMatch(
    /1,000,000 calls \| nothing \| 2026-11-18 \|\n\nMade 2026-11-18, .*\n\n\| \|/,
  )
})

test('the table says nothing was lost only where all tests passed', () => {
  const [failed, left] = ['failed', 'skipped'].map((status) => aTest({ status }))
  expect(pageOf(some, [aTest({}), failed!])).toContain('| **see what failed: 1** |')
  expect(pageOf(some, [aTest({}), left!])).toContain('| nothing; **left out: 1** |')
  expect(pageOf(some, [left!])).toContain('| One | 0 | 0 |  | **not tried** |')
})

test('titles on the page are short, and what cannot be seen in them is spelled', () => {
  const titles = [`refuses ${'x'.repeat(5_000)} [T1]`, 'takes a\u202Eb\u2028c\u0007d\u{E0041} [T1]']
  const tests = titles.map((title) => aTest({ title }))
  const page = pageOf([{ id: 'T1', what: 'One', promise: 'a' }], tests)
  expect(page).toContain('takes a\\u{202E}b\\u{2028}c\\u{7}d\\u{E0041}\n')
  expect(page).toContain(`  - refuses ${'x'.repeat(151)}…\n`)
})
