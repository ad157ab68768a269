// npm test [-- [--long] [vitest arguments]]: sets up what is missing, then checks and tests. With
// paths, only those tests.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runWithOwnProcesses } from './own-processes.mjs'
import { countsOf, runReported } from './reported-run.mjs'
import { runProgram } from './run-program.mjs'
import { cacheOf, repository } from './setup/paths.mjs'
import { setUpOrExit } from './setup/set-up.mjs'

const long = process.argv.includes('--long')
const chosen = process.argv.slice(2).filter((argument) => argument !== '--long')
const whole = chosen.length === 0
const counts = countsOf(long)
// What took hours is not lost to the next test of one file.
const partial = counts === 'long' ? 'partial-long-run.json' : 'partial-test-run.json'
const report = join(cacheOf(repository), whole ? 'test-run.json' : partial)

const node = await setUpOrExit()
const checked = whole ? await runProgram(node, [join(repository, 'scripts/check.mjs')]) : 0
if (checked > 128) process.exit(checked)
const run = () =>
  runWithOwnProcesses(
    node,
    [
      join(repository, 'scripts/vitest.mjs'),
      'run',
      `--root=${repository}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...(whole && !long ? ['--coverage'] : []),
      ...chosen,
    ],
    {
      ...process.env,
      // Hundreds of processes are started: each loads what another has compiled.
      NODE_COMPILE_CACHE: join(cacheOf(repository), 'compiled'),
      ...(long ? { DATAAGENT_TEST_LONG: '1' } : {}),
    },
  )
const { code: tested } = await runReported({ report, counts, root: repository, run })
const named = whole ? await runProgram(node, [join(repository, 'scripts/cases.mjs')]) : 0
const { skipped, failure } = summarise()
// A test that failed or could not run here proves nothing.
if (whole && skipped > 0) console.error('Whether each requirement is proved was not looked at.')
const proved = whole && tested === 0 && skipped === 0 ? await trace() : 0
process.exit(checked || tested || failure || named || proved)

/** Fails where a requirement has no test. */
function trace() {
  return runProgram(node, [join(repository, 'scripts/trace.mjs'), '--quiet'])
}

/** The closing line, how many were skipped, and whether that makes the run a failure. */
function summarise() {
  if (!existsSync(report)) return { skipped: 0, failure: 0 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  const skipped = numPendingTests + numTodoTests
  console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${skipped} skipped`)
  if (skipped === 0 || ['', '0', 'false', undefined].includes(process.env.CI)) {
    return { skipped, failure: 0 }
  }
  console.error('With CI set, a skipped test is a failure.')
  return { skipped, failure: 1 }
}
