import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository, runTool } from './checks/test-tools.ts'
import { plantTree } from './checks/test-tree.ts'
import { readLedger } from './trace/ledger.mjs'

const requirements = '| A1.1 | one |\n| A1.2 | two |\n| D2 | 1–3 | three |\n| D3 | 1 | one |\n'
const ids = 'A1.1\nA1.2\nD2.1\nD2.2\nD2.3\nD3.1\n\nTestCase_Inject\nTestCase_Inject_Twice\n'

interface Planted {
  tests?: Record<string, string>
  requirements?: string
  ids?: string
}

/** Runs the command over a planted ledger and a test run of `title: status`. */
async function trace(planted: Planted, ...flags: string[]) {
  const assertionResults = Object.entries(planted.tests ?? {}).map(([fullName, status]) => ({
    fullName,
    status,
  }))
  await using tree = await plantTree({
    'docs/requirements.md': planted.requirements ?? requirements,
    'docs/requirement-ids.txt': planted.ids ?? ids,
    ...(planted.tests && {
      'node_modules/.cache/dataagent/test-run.json': {
        startTime: 0,
        testResults: [{ name: 'a.test.ts', assertionResults }],
      },
    }),
  })
  const script = join(import.meta.dirname, 'trace.mjs')
  return await runTool('node', [script, '--root', tree.root, ...flags], tree.root)
}

async function traceJson(planted: Planted) {
  return JSON.parse(`${(await trace(planted, '--json')).output.split('\n')[0]}`)
}

test('one line of JSON counts every id and case name with a passing test', async () => {
  const tests = {
    'runs [A1.1]': 'passed',
    'two at once [D2.1][D2.2]': 'passed',
    'or in one bracket [D2.3, D3.1]': 'passed',
    'rows > TestCase_Inject works': 'passed',
  }
  const { code, output } = await trace({ tests }, '--json')
  expect(output.split('\n')).toEqual([
    '{"total":8,"proved":6,"missing":["A1.2","TestCase_Inject_Twice"]}',
    'error: not proved: A1.2, TestCase_Inject_Twice',
    '',
  ])
  expect(code).toBe(1)
})

const allProved = { 'all of it [A1.1, A1.2][D2.1, D2.2, D2.3][D3.1]': 'passed' }
const allNamed = { TestCase_Inject: 'passed', TestCase_Inject_Twice: 'passed' }

test('it is content where every id and name is proved, and then can be silent', async () => {
  const tests = { ...allProved, ...allNamed }
  expect((await trace({ tests })).code).toBe(0)
  expect(await trace({ tests }, '--quiet')).toEqual({ code: 0, output: '' })
})

test('quietly it says what is missing and no more', async () => {
  expect(await trace({ tests: { ...allProved, TestCase_Inject: 'passed' } }, '--quiet')).toEqual({
    code: 1,
    output: 'error: not proved: TestCase_Inject_Twice\n',
  })
})

test('an id whose tests failed or were skipped is missing', async () => {
  const tests = {
    'fails [A1.1]': 'failed',
    'is skipped [A1.2]': 'skipped',
    'is pending [D2.1]': 'pending',
    'is planned [D2.2]': 'todo',
    TestCase_Inject: 'failed',
  }
  expect(await traceJson({ tests })).toMatchObject({ total: 8, proved: 0 })
})

test('an id of which one test passed and another was skipped or failed is missing', async () => {
  const tests = {
    'runs [A1.1]': 'passed',
    'runs elsewhere [A1.1]': 'skipped',
    'runs [A1.2]': 'passed',
    'runs twice [A1.2]': 'failed',
    'runs [D2.1]': 'passed',
  }
  expect(await traceJson({ tests })).toMatchObject({ proved: 1 })
})

test('the longer of two case names does not stand for the shorter', async () => {
  const { missing } = await traceJson({ tests: { TestCase_Inject_Twice: 'passed' } })
  expect(missing).toContain('TestCase_Inject')
})

test('an id that does not exist is an error that names the test', async () => {
  const { code, output } = await trace({ tests: { 'claims too much [A9.9]': 'passed' } })
  expect(code).toBe(1)
  expect(output).toContain('error: A9.9 does not exist: "claims too much [A9.9]"')
})

test('the table groups tests by row, with failing ones marked', async () => {
  const tests = { 'runs [D2.1]': 'passed', 'breaks [D2.1]': 'failed', 'runs [D2.3]': 'passed' }
  const { output } = await trace({ tests })
  expect(output).toContain('D2  1 of 3 proved\n  D2.1    ✓ runs [D2.1]\n')
  expect(output).toContain('✗ breaks [D2.1] (failed)\n  D2.2    –\n')
  expect(output).toContain('A: 0 of 2 proved\nD: 1 of 4 proved\ncases: 0 of 2 proved\n')
  expect(output).toContain('all: 1 of 8 proved\n')
})

test('without a test run it says what to do and exits with 2', async () => {
  expect(await trace({}, '--json')).toEqual({
    code: 2,
    output: 'There is no test run to read yet: run `npm test` first.\n',
  })
})

test('a row without ids and an id without a row are errors', async () => {
  const tests = {}
  const longer = await trace({ tests, requirements: `${requirements}| E1.1 | x |\n` })
  expect(longer).toMatchObject({
    code: 1,
    output: expect.stringContaining('error: E1.1 is in requirements.md only'),
  })
  const shorter = await trace({ tests, requirements: requirements.replace('1–3', '1–2') })
  expect(shorter.output).toContain('error: D2.3 is in requirement-ids.txt only')
})

test('the requirements and the list of ids of this repository agree', async () => {
  const ledger = await readLedger(repository)
  expect(ledger.disagreements).toEqual([])
  expect(ledger.cases).toHaveLength(42)
  expect(new Set(ledger.ids).size).toBe(ledger.ids.length)
})
