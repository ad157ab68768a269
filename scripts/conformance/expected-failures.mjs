import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '../setup/paths.mjs'

/**
 * @typedef {import('./run-scenario.mjs').Ran} Ran
 * @typedef {{ suite: string, scenario: string, reason: string }} ExpectedFailure
 * @typedef {{ ran: Ran, verdict: 'pass' | 'warn' | 'fail' | 'expected' | 'stale' }} Row
 */

const path = 'packages/mcp/conformance/expected-failures.txt'

/** @returns {Promise<ExpectedFailure[]>} */
export async function readExpectedFailures() {
  return parseExpectedFailures(await readFile(join(repository, path), 'utf8'))
}

/**
 * Reads lines of `SUITE SCENARIO REASON`; those that begin with # are comments.
 * @param {string} text
 * @returns {ExpectedFailure[]}
 */
export function parseExpectedFailures(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const [, suite, scenario, reason] = /^(\S+) +(\S+) +(\S.*)$/.exec(line) ?? []
    if (!suite || !scenario || !reason) throw new Error(`${path}: "${line}" has no reason`)
    return { suite, scenario, reason }
  })
}

/**
 * What each run comes to, and what makes the whole fail: a scenario that fails unnamed, or one that
 * is named and passes.
 * @param {Ran[]} done
 * @param {ExpectedFailure[]} expected
 */
export function judge(done, expected) {
  const rows = done.map((ran) => ({ ran, verdict: verdictOf(ran, expected) }))
  return { rows, faults: rows.flatMap(faultsOf) }
}

/** @returns {Row['verdict']} */
function verdictOf(/** @type {Ran} */ ran, /** @type {ExpectedFailure[]} */ expected) {
  const { suite, scenario } = ran.run
  const isExpected = expected.some((one) => one.suite === suite.name && one.scenario === scenario)
  if (ran.failures.length > 0) return isExpected ? 'expected' : 'fail'
  if (isExpected) return 'stale'
  return ran.warnings.length > 0 ? 'warn' : 'pass'
}

/** @returns {string[]} */
function faultsOf(/** @type {Row} */ { ran, verdict }) {
  const name = `${ran.run.suite.name} ${ran.run.scenario}`
  if (verdict === 'stale') return [`${name} passes: take its line out of ${path}`]
  const lines = [name, ...ran.failures, ran.said].filter((line) => line !== '')
  return verdict === 'fail' ? [lines.join('\n  ')] : []
}
