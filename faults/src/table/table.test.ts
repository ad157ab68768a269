import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findGaps, idsIn, testsById } from './carried.ts'
import { faults } from './faults.ts'
import { threats } from './threats.ts'
import { toPage } from './to-page.ts'

const root = join(import.meta.dirname, '../../..')
const rows = [...faults, ...threats]

/** Ids in the sources of all tests but this one. */
async function carriedIds(): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const place of ['packages', 'apps', 'examples', 'scripts', 'bench', 'faults']) {
    const files = await readdir(join(root, place), { recursive: true })
    const tests = files.filter((file) => /(?:\.test\.ts|(?:^|\/)describe-[^/]+\.ts)$/.test(file))
    const own = tests.filter(
      (file) => !/(?:^|\/)(?:node_modules|dist)\//.test(file) && !file.endsWith('table.test.ts'),
    )
    for (const file of own) {
      for (const id of idsIn(await readFile(join(root, place, file), 'utf8'))) ids.add(id)
    }
  }
  return ids
}

test('every fault and every threat has a test that carries it, or a reason', async () => {
  expect(findGaps(rows, await carriedIds())).toEqual([])
})

test('the rows are all there, in order', () => {
  expect(faults.map(({ id }) => id)).toEqual(Array.from({ length: 34 }, (_, at) => `F${at + 1}`))
  expect(threats.map(({ id }) => id)).toEqual(Array.from({ length: 66 }, (_, at) => `T${at + 1}`))
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

test('the page names each row, its promise, its tests and how they ended', () => {
  const run = {
    testResults: [
      {
        name: '/place/a.test.ts',
        assertionResults: [
          { fullName: '10 kills lose nothing [F1, T2]', status: 'passed' },
          { fullName: 'a | b [F1] [D1.2]', status: 'failed' },
          { fullName: 'none', status: 'passed' },
        ],
      },
    ],
  }
  const table = [
    { id: 'F1', what: 'One', promise: 'a' },
    { id: 'F2', what: 'Two', promise: 'b', none: 'it cannot be' },
  ]
  const page = toPage([{ title: 'All', rows: table }], testsById(run, '/place'), 'Made today.')
  expect(page).toContain(
    '### F1: One\n\nPromised: a.\n\n- `a.test.ts`\n  - **failed** a \\| b\n  - 10 kills lose nothing\n',
  )
  expect(page).toContain('### F2: Two\n\nPromised: b.\n\nNo test: it cannot be.\n')
})

test('titles on the page are short, and what cannot be seen in them is spelled', () => {
  const titles = [`refuses ${'x'.repeat(5_000)} [T1]`, 'takes a\u202Eb\u2028c\u0007d\u{E0041} [T1]']
  const assertionResults = titles.map((fullName) => ({ fullName, status: 'passed' }))
  const run = { testResults: [{ name: '/place/a.test.ts', assertionResults }] }
  const table = [{ id: 'T1', what: 'One', promise: 'a' }]
  const page = toPage([{ title: 'All', rows: table }], testsById(run, '/place'), 'Made today.')
  expect(page).toContain('takes a\\u{202E}b\\u{2028}c\\u{7}d\\u{E0041}\n')
  expect(page).toContain(`  - refuses ${'x'.repeat(151)}…\n`)
})
