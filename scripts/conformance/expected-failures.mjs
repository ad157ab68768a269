import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '../setup/paths.mjs'

/**
 * @typedef {import('./run-scenario.mjs').Ran} Ran
 * @typedef {{ suite: string, scenario: string, reason: string }} ExpectedFailure
 * @typedef {{ path: string, failures: ExpectedFailure[] }} ExpectedFailures
 * @typedef {{ ran: Ran, verdict: 'pass' | 'warn' | 'fail' | 'expected' | 'stale' }} Row
 */

/** @returns {Promise<ExpectedFailures>} */
export async function readExpectedFailures(/** @type {string} */ path) {
  return parseExpectedFailures(await readFile(join(repository, path), 'utf8'), path)
}

/**
 * Reads lines of `SUITE SCENARIO REASON`; those that begin with # are comments.
 * @param {string} text
 * @param {string} path
 * @returns {ExpectedFailures}
 */
export function parseExpectedFailures(text, path) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const failures = lines.map((line) => {
    const [, suite, scenario, reason] = /^(\S+) +(\S+) +(\S.*)$/.exec(line) ?? []
    if (!suite || !scenario || !reason) throw new Error(`${path}: "${line}" has no reason`)
    return { suite, scenario, reason }
  })
  return { path, failures }
}

/**
 * What each run comes to, and what makes the whole fail: a scenario that fails unnamed, or one that
 * is named and passes.
 * @param {Ran[]} done
 * @param {ExpectedFailures} expected
 */
export function judge(done, { path, failures }) {
  const rows = done.map((ran) => ({ ran, verdict: verdictOf(ran, failures) }))
  return { rows, faults: rows.flatMap((row) => faultsOf(row, path)) }
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
function faultsOf(/** @type {Row} */ { ran, verdict }, /** @type {string} */ path) {
  const name = `${ran.run.suite.name} ${ran.run.scenario}`
  if (verdict === 'stale') return [`${name} passes: take its line out of ${path}`]
  const lines = [name, ...ran.failures, ran.said].filter((line) => line !== '')
  return verdict === 'fail' ? [lines.join('\n  ')] : []
}
