// npm test [-- [--long] [vitest arguments]]: sets up what is missing, then checks and tests. With
// paths, only those tests.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from './run-program.mjs'
import { stamps } from './setup/paths.mjs'
import { setUp } from './setup.mjs'

const [long, rest] = [
  process.argv.includes('--long'),
  process.argv.slice(2).filter((a) => a !== '--long'),
]
const whole = rest.length === 0
const report = join(stamps, whole ? 'test-run.json' : 'partial-test-run.json')

const node = await setUp()
const checked = whole ? await runProgram(node, ['scripts/check.mjs']) : 0
const tested = await runProgram(
  node,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(whole && !long ? ['--coverage'] : []),
    ...rest,
  ],
  { ...process.env, ...(long ? { DATAAGENT_TEST_LONG: '1' } : {}) },
)
process.exitCode = checked || tested || summarise()

/** The closing line, and whether a skipped test makes the run a failure. */
function summarise() {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  const skipped = numPendingTests + numTodoTests
  console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${skipped} skipped`)
  if (skipped === 0 || !process.env.CI) return 0
  console.error('With CI set, a skipped test is a failure.')
  return 1
}
