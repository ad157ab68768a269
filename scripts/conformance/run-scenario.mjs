import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { repository } from '../setup/paths.mjs'

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
 */

const timeoutMs = 60_000
const client = join(repository, 'packages/mcp/conformance/main.ts')
// The suite hands it to a shell.
const command = `"${execPath}" --conditions=dataagent-source "${client}"`

/**
 * Runs one scenario by itself and reads the checks that the suite wrote.
 * @param {Run} run
 * @returns {Promise<Ran>}
 */
export async function runScenario(run) {
  const start = performance.now()
  const directory = await mkdtemp(join(tmpdir(), 'dataagent-conformance-'))
  try {
    const { ok, output } = await execute(run, directory)
    /** @type {Check[]} */
    const checks = JSON.parse((await readResult(directory, 'checks.json')) ?? '[]')
    const failures = checks.filter(({ status }) => status === 'FAILURE').map(toLine)
    const warnings = checks.filter(({ status }) => status === 'WARNING').map(toLine)
    // The suite also fails for a client that ran out of time or ended with an error.
    const silent = (!ok && failures.length === 0 && warnings.length === 0) || isBroken(output)
    const said = (await readResult(directory, 'stderr.txt')) ?? ''
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

async function execute(/** @type {Run} */ { suite, scenario }, /** @type {string} */ directory) {
  const options = ['--timeout', `${timeoutMs}`, '--output-dir', directory]
  const args = ['client', '--command', command, '--scenario', scenario, ...options, ...suite.run]
  try {
    const { stderr } = await promisify(execFile)(execPath, [suite.program, ...args], {
      maxBuffer: 64 * 1024 * 1024,
    })
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

/** Each run has a folder of its own, named by scenario and time. */
async function readResult(/** @type {string} */ directory, /** @type {string} */ name) {
  const files = await readdir(directory, { recursive: true })
  const file = files.find((path) => path.endsWith(name))
  return file === undefined ? undefined : await readFile(join(directory, file), 'utf8')
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
