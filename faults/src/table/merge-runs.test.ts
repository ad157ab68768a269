import { expect, test } from 'vitest'
import type { TestRun } from './carried.ts'
import { mergeRuns } from './merge-runs.ts'

const short = Date.UTC(2026, 10, 19)
const long = Date.UTC(2026, 10, 18)

function aRun(run: Omit<TestRun, 'testResults'>, tests: Record<string, Record<string, string>>) {
  const testResults = Object.entries(tests).map(([name, own]) => ({
    name,
    assertionResults: Object.entries(own).map(([fullName, status]) => ({ fullName, status })),
  }))
  return { ...run, testResults }
}

/** `title: status, day, counts`, by file. */
function told(...runs: TestRun[]) {
  const byFile = Map.groupBy(mergeRuns(runs, '/place'), ({ file }) => file)
  return Object.fromEntries(
    [...byFile].map(([file, tests]) => [
      file,
      tests.map(
        ({ title, status, origin }) => `${title}: ${status} ${origin.day} ${origin.counts}`,
      ),
    ]),
  )
}

const whole = aRun(
  { startTime: short, counts: 'short' },
  {
    '/place/a.test.ts': { '2 kills [F1]': 'passed', 'old [F2]': 'passed', 'no id': 'passed' },
    '/place/b.test.ts': { '3 cuts [F3]': 'passed' },
  },
)

test('a long run of some files takes their place in a short run of all', () => {
  const some = aRun(
    { startTime: long, counts: 'long', root: '/elsewhere/' },
    { '/elsewhere/a.test.ts': { '1,000 kills [F1]': 'failed', 'old [F2]': 'passed' } },
  )
  expect(told(whole, some)).toEqual({
    'a.test.ts': ['1,000 kills [F1]: failed 2026-11-18 long', 'old [F2]: passed 2026-11-18 long'],
    'b.test.ts': ['3 cuts [F3]: passed 2026-11-19 short'],
  })
})

test('what a later run left out is kept as it was', () => {
  const named = aRun(
    { startTime: long, counts: 'long' },
    {
      '/place/a.test.ts': { '1,000 kills [F1]': 'skipped', 'old [F2]': 'failed' },
      '/place/b.test.ts': { '900 cuts [F3]': 'pending' },
    },
  )
  expect(told(whole, named)).toEqual({
    'a.test.ts': ['2 kills [F1]: passed 2026-11-19 short', 'old [F2]: failed 2026-11-18 long'],
    'b.test.ts': ['3 cuts [F3]: passed 2026-11-19 short'],
  })
})

test('of a file that a later run could not load what was known is kept', () => {
  const broken = aRun({ startTime: long, counts: 'long' }, { '/place/b.test.ts': {} })
  expect(told(whole, broken)).toEqual(told(whole))
})

test('a test that no run ran is told as such', () => {
  const one = aRun({ startTime: short }, { '/place/a.test.ts': { 'one [F1]': 'skipped' } })
  expect(told(one, one)).toEqual({ 'a.test.ts': ['one [F1]: skipped 2026-11-19 undefined'] })
})

test('a report of another place that does not say so is refused', () => {
  const foreign = aRun({ startTime: short }, { '/other/a.test.ts': { 'one [F1]': 'passed' } })
  expect(() => mergeRuns([foreign], '/place')).toThrow('/other/a.test.ts is not below /place')
})
