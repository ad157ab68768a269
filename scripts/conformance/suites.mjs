import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { repository } from '../setup/paths.mjs'

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} program The command line of the official suite.
 * @property {string[]} list Its arguments that list the scenarios.
 * @property {string[]} run Its arguments for every scenario.
 *
 * @typedef {object} Run
 * @property {Suite} suite
 * @property {string} scenario
 * @property {boolean} scored Whether it counts; the others are extensions, or younger than the
 *   revision.
 */

const released = join(repository, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const next = join(repository, 'node_modules/conformance-next/dist/index.js')

/** @type {Suite[]} */
export const suites = [
  { name: '0.1.16', program: released, list: ['--client'], run: [] },
  ...['2025-11-25', '2026-07-28'].map((revision) => ({
    name: revision,
    program: next,
    list: ['--requirements', revision],
    run: ['--spec-version', revision, '--force'],
  })),
]

/** Every scenario for clients of every suite. */
export async function listRuns() {
  return (await Promise.all(suites.map(listSuite))).flat()
}

/** @returns {Promise<Run[]>} */
async function listSuite(/** @type {Suite} */ suite) {
  const { stdout } = await promisify(execFile)(execPath, [suite.program, 'list', ...suite.list])
  const [, clients = ''] = stdout.split(/^Client scenarios.*$/m)
  const [scored = '', others = ''] = clients.split(/^Run and reported.*$/m)
  return [
    ...namesIn(scored, /^ +- (\S+)/gm).map((scenario) => ({ suite, scenario, scored: true })),
    ...namesIn(others, /^ +- (\S+) \[client\]/gm).map((scenario) => ({
      suite,
      scenario,
      scored: false,
    })),
  ]
}

function namesIn(/** @type {string} */ text, /** @type {RegExp} */ pattern) {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '')
}
