import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { repository } from '../setup/paths.mjs'
import { runAuthorization } from './authorization.mjs'
import { startGateway } from './gateway.mjs'
import { runScenario } from './run-scenario.mjs'
import { authorizationRun, clientSuites, listRuns, serverSuites } from './suites.mjs'

/**
 * What the suites judge.
 * @typedef {object} Subject
 * @property {string} expectedFailures Path of the file that names them.
 * @property {() => Promise<Run[]>} list
 * @property {(runs: Run[]) => Promise<Lane[]>} open As many as may run at once.
 *
 * A place where one scenario runs after the other.
 * @typedef {object} Lane
 * @property {(run: Run) => boolean} takes
 * @property {(run: Run) => Promise<Ran>} run
 * @property {() => Promise<void>} close
 *
 * @typedef {import('./suites.mjs').Run} Run
 * @typedef {import('./run-scenario.mjs').Ran} Ran
 */

const client = join(repository, 'packages/mcp/conformance/main.ts')
// The suite hands it to a shell.
const command = `"${execPath}" --conditions=dataagent-source "${client}"`
const clientArgs = ['client', '--command', command, '--timeout', '60000']

/** Our client. @type {Subject} */
export const clientSubject = {
  expectedFailures: 'packages/mcp/conformance/expected-failures.txt',
  list: () => listRuns(clientSuites, 'client'),
  // More at once than there are cores, and the clients run out of time.
  open: async () =>
    Array.from({ length: availableParallelism() }, () => ({
      takes: () => true,
      run: (run) => runScenario(run, clientArgs),
      close: async () => {},
    })),
}

/** Our gateway before an upstream, of one era and of the other. @type {Subject} */
export const gatewaySubject = {
  expectedFailures: 'packages/gateway/conformance/expected-failures.txt',
  list: async () => [...(await listRuns(serverSuites, 'server')), authorizationRun],
  async open(runs) {
    const eras = new Set(runs.flatMap(({ suite }) => suite.upstream ?? []))
    return Promise.all([...eras].map(openGatewayLane))
  },
}

/** A scenario may change the lists of the upstream: it has the gateway for itself. */
async function openGatewayLane(/** @type {import('./suites.mjs').Era} */ era) {
  const gateway = await startGateway(era)
  return {
    takes: (/** @type {Run} */ run) => run.suite.upstream === era,
    run: (/** @type {Run} */ run) =>
      run === authorizationRun
        ? runAuthorization(run, gateway)
        : runScenario(run, ['server', '--url', `${gateway.url}/mcp`]),
    close: gateway.close,
  }
}
