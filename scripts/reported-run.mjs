import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

/**
 * @typedef {'short' | 'long'} Counts
 * @typedef {object} ReportedRun
 * @property {string} report Where vitest writes what it found, as JSON.
 * @property {Counts} counts How often the tests repeat their cases.
 * @property {string} root Of the tests: the report has whole paths.
 * @property {() => Promise<number>} run Resolves with the exit code.
 */

/** @returns {Counts} */
export const countsOf = (/** @type {boolean} */ long) =>
  long || process.env.DATAAGENT_TEST_LONG ? 'long' : 'short'

/**
 * Runs tests, and adds to their report how often they tried and where. A report of a run before
 * would be taken for this one's: it is removed first.
 * @param {ReportedRun} options
 * @returns {Promise<{ code: number, reported: boolean }>}
 */
export async function runReported({ report, counts, root, run }) {
  rmSync(report, { force: true })
  const code = await run()
  if (!existsSync(report)) return { code, reported: false }
  const found = JSON.parse(readFileSync(report, 'utf8'))
  writeFileSync(report, JSON.stringify({ ...found, counts, root }))
  return { code, reported: true }
}
