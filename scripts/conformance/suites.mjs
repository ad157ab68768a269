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
 * @property {Era} [upstream] Of what stands behind a server.
 *
 * @typedef {'legacy' | 'modern'} Era
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
const frozen = ['2025-11-25', '2026-07-28'].map((revision) => ({
  name: revision,
  program: next,
  list: ['--requirements', revision],
  run: ['--spec-version', revision, '--force'],
}))

/** @type {Suite[]} */
export const clientSuites = [
  { name: '0.1.16', program: released, list: ['--client'], run: [] },
  ...frozen,
]

/** Each for an upstream of either era. @type {Suite[]} */
export const serverSuites = /** @type {Era[]} */ (['legacy', 'modern']).flatMap((upstream) =>
  [{ name: '0.1.16', program: released, list: ['--server'], run: [] }, ...frozen].map((suite) => ({
    ...suite,
    name: `${upstream}/${suite.name}`,
    upstream,
  })),
)

/** Its scenarios build on each other: they are one run. @type {Run} */
export const authorizationRun = {
  suite: { name: 'authorization', program: next, list: [], run: [], upstream: 'modern' },
  scenario: 'authorization-code-grant',
  scored: true,
}

/**
 * Every scenario of the suites for that side of a connection.
 * @param {Suite[]} suites
 * @param {'client' | 'server'} side
 */
export async function listRuns(suites, side) {
  return (await Promise.all(suites.map((suite) => listSuite(suite, side)))).flat()
}

/** @returns {Promise<Run[]>} */
async function listSuite(/** @type {Suite} */ suite, /** @type {'client' | 'server'} */ side) {
  const { stdout } = await promisify(execFile)(execPath, [suite.program, 'list', ...suite.list])
  const [required = '', others = ''] = stdout.split(/^Run and reported.*$/m)
  const heading = side === 'client' ? /^Client scenarios.*$/m : /^Server scenarios.*$/m
  const [own = ''] = (required.split(heading)[1] ?? '').split(/^Client scenarios.*$/m)
  return [
    ...namesIn(own, /^ +- (\S+)/gm).map((scenario) => ({ suite, scenario, scored: true })),
    ...namesIn(others, new RegExp(`^ +- (\\S+) \\[${side}\\]`, 'gm')).map((scenario) => ({
      suite,
      scenario,
      scored: false,
    })),
  ]
}

function namesIn(/** @type {string} */ text, /** @type {RegExp} */ pattern) {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '')
}
