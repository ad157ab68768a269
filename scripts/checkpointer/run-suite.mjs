import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { repository } from '../setup/paths.mjs'

/**
 * @typedef {object} Tested
 * @property {string[]} ancestorTitles
 * @property {string} title
 * @property {string} status
 * @property {string[]} failureMessages
 */

export const databases = ['sqlite', 'mysql', 'postgres']

/**
 * What became of every test of the suite, those of other databases skipped. Throws with the
 * runner's output where it came to no result.
 * @param {string} folder
 * @param {readonly string[]} chosen
 * @returns {Promise<Tested[]>}
 */
export async function runSuite(folder, chosen) {
  const work = await mkdtemp(join(tmpdir(), 'dataagent-checkpointer-'))
  const report = join(work, 'report.json')
  try {
    const output = await execute([
      ...['run', `--config=${join(folder, 'vitest.config.ts')}`],
      ...['--reporter=json', `--outputFile=${report}`],
      `--testNamePattern=on (${chosen.join('|')}) `,
    ])
    const { testResults } = JSON.parse(await readFile(report, 'utf8').catch(() => fail(output)))
    const tests = testResults.flatMap(assertionsOf)
    return tests.length > 0 ? tests : fail(`${output}\n${testResults.map(messageOf).join('\n')}`)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function execute(/** @type {string[]} */ args) {
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs')
  const options = { maxBuffer: 64 * 1024 * 1024 }
  try {
    const { stderr } = await promisify(execFile)(execPath, [vitest, ...args], options)
    return stderr
  } catch (error) {
    return `${Object(error).stderr}`
  }
}

/** @type {(file: { assertionResults: Tested[] }) => Tested[]} */
const assertionsOf = ({ assertionResults }) => assertionResults

/** @type {(file: { message: string }) => string} */
const messageOf = ({ message }) => message

/** @returns {never} */
function fail(/** @type {string} */ output) {
  throw new Error(`The suite came to no result.\n${output}`)
}
