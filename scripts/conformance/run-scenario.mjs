import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'

/**
 * @typedef {import('./suites.mjs').Run} Run
 *
 * @typedef {object} Check
 * @property {string} id
 * @property {string} status SUCCESS, FAILURE, WARNING, SKIPPED or INFO.
 * @property {string} [description]
 * @property {string} [errorMessage]
 *
 * @typedef {object} Ran
 * @property {Run} run
 * @property {number} passed
 * @property {string[]} failures What went wrong, a line each; none where the scenario passed.
 * @property {string[]} warnings
 * @property {string} said How its output for errors begins.
 * @property {number} seconds
 *
 * @typedef {{ ok: boolean, output: string }} Ended How the program of a suite ended.
 */

/**
 * Runs one scenario by itself.
 * @param {Run} run
 * @param {string[]} subject What is judged, as arguments of the suite.
 */
export function runScenario(run, subject) {
  const { suite, scenario } = run
  const args = [suite.program, ...subject, '--scenario', scenario, ...suite.run]
  return judgeBy(run, (directory) => execute([...args, '--output-dir', directory]))
}

/**
 * Lets a suite write its checks into a folder and reads them.
 * @param {Run} run
 * @param {(directory: string) => Promise<Ended>} perform
 * @returns {Promise<Ran>}
 */
export async function judgeBy(run, perform) {
  const start = performance.now()
  const directory = await mkdtemp(join(tmpdir(), 'dataagent-conformance-'))
  try {
    const { ok, output } = await perform(directory)
    const texts = await readResults(directory, 'checks.json')
    /** @type {Check[]} */
    const checks = texts.flatMap((text) => JSON.parse(text))
    const failures = checks.filter(({ status }) => status === 'FAILURE').map(toLine)
    const warnings = checks.filter(({ status }) => status === 'WARNING').map(toLine)
    // The suite also fails for a client that ran out of time or ended with an error.
    const silent = (!ok && failures.length === 0 && warnings.length === 0) || isBroken(output)
    const [said = ''] = await readResults(directory, 'stderr.txt')
    return {
      run,
      passed: checks.filter(({ status }) => status === 'SUCCESS').length,
      failures: silent ? [...failures, lastLinesOf(output)] : failures,
      warnings,
      said: firstLinesOf(said),
      seconds: (performance.now() - start) / 1000,
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** @returns {Promise<Ended>} */
async function execute(/** @type {string[]} */ args) {
  try {
    const { stderr } = await promisify(execFile)(execPath, args, { maxBuffer: 64 * 1024 * 1024 })
    return { ok: true, output: stderr }
  } catch (error) {
    return { ok: false, output: `${Object(error).stderr}` }
  }
}

/**
 * Scenarios that want a refusal let every other end pass too: 3 is how our client says that it
 * refused.
 */
function isBroken(/** @type {string} */ output) {
  const [, code = '3'] = /^Client exited with code (-?\d+)$/m.exec(output) ?? []
  return code !== '3'
}

/** Each scenario has a folder of its own, named by it and the time. */
async function readResults(/** @type {string} */ directory, /** @type {string} */ name) {
  const files = await readdir(directory, { recursive: true })
  const found = files.filter((path) => path.endsWith(name))
  return Promise.all(found.map((file) => readFile(join(directory, file), 'utf8')))
}

function toLine(/** @type {Check} */ { id, description, errorMessage }) {
  return `${id}: ${errorMessage ?? description}`
}

function firstLinesOf(/** @type {string} */ text) {
  return text.trim().split('\n').slice(0, 8).join('\n')
}

function lastLinesOf(/** @type {string} */ output) {
  return output.trimEnd().split('\n').slice(-12).join('\n')
}
