import { join } from 'node:path'
import { longCount } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { repository, runTool } from './checks/test-tools.ts'
import { judge, parseExpectedFailures } from './conformance/expected-failures.mjs'
import { selectRuns } from './conformance/select-runs.mjs'

const conformance = (...words: string[]) =>
  runTool('node', [join(import.meta.dirname, 'conformance.mjs'), ...words], repository)

const core = ['tools_call', 'initialize', 'request-metadata', 'auth/metadata-default']
/** In the long form all of them. */
const chosen = core.slice(0, longCount(core.length, 0))

test('core scenarios of every suite pass', { timeout: 1_200_000 }, async () => {
  const { code, output } = await conformance(...chosen)
  const clean = output.match(/^\S+: [1-9]\d* of \d+ scenarios pass.* 0 unexpectedly/gm)
  expect(clean, output).toHaveLength(3)
  expect(code).toBe(0)
})

test('a name that no suite has is refused', { timeout: 60_000 }, async () => {
  expect(await conformance('nothing')).toEqual({
    code: 2,
    output: 'There is no suite and no scenario nothing\n',
  })
})

const suite = (name: string) => ({ name, program: '', list: [], run: [] })
const run = (scenario: string, name = 'old') => ({ suite: suite(name), scenario, scored: true })

describe('choosing', () => {
  const runs = [run('a'), run('auth/b'), run('auth/b', 'new'), run('c', 'new'), run('d', 'up/x')]
  const chosen = (...words: string[]) =>
    selectRuns(runs, words).runs.map((one) => `${one.suite.name} ${one.scenario}`)

  test.each([
    { words: [], names: ['old a', 'old auth/b', 'new auth/b', 'new c', 'up/x d'] },
    { words: ['up'], names: ['up/x d'] },
    { words: ['new'], names: ['new auth/b', 'new c'] },
    { words: ['auth'], names: ['old auth/b', 'new auth/b'] },
    { words: ['new', 'auth/b', 'a'], names: ['new auth/b'] },
  ])('$words', ({ words, names }) => {
    expect(chosen(...words)).toEqual(names)
  })
})

describe('judging', () => {
  const ran = (scenario: string, failures: string[], warnings: string[] = []) => ({
    run: run(scenario),
    passed: 1,
    failures,
    warnings,
    said: failures.length > 0 ? 'a stack' : '',
    seconds: 1,
  })
  const lines = '# a comment\nold known  it is so\nold mended  it was\n'
  const expected = parseExpectedFailures(lines, 'here.txt')

  test('a failure must be named, and a name must fail', () => {
    const done = [
      ran('good', []),
      ran('odd', [], ['late']),
      ran('known', ['x']),
      ran('bad', ['why', 'and why']),
      ran('mended', []),
    ]
    const { rows, faults } = judge(done, expected)
    expect(rows.map(({ verdict }) => verdict)).toEqual([
      'pass',
      'warn',
      'expected',
      'fail',
      'stale',
    ])
    expect(faults).toEqual([
      'old bad\n  why\n  and why\n  a stack',
      'old mended passes: take its line out of here.txt',
    ])
  })

  test('a line without a reason is refused', () => {
    expect(() => parseExpectedFailures('old known', 'here.txt')).toThrow(
      'here.txt: "old known" has no reason',
    )
  })
})
