import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { repository } from '../setup/paths.mjs'

/**
 * @typedef {object} RunningGateway
 * @property {string} url Where it is reached without a credential.
 * @property {string} key Opens its tool group.
 * @property {() => Promise<void>} close
 */

const program = join(repository, 'packages/gateway/conformance/main.ts')

/**
 * Starts a gateway before an upstream of that era, in a process of its own.
 * @param {'legacy' | 'modern'} era
 * @returns {Promise<RunningGateway>}
 */
export async function startGateway(era) {
  const child = spawn(execPath, ['--conditions=dataagent-source', program, era], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => Promise.reject(new Error('the gateway did not start'))),
  ])
  return {
    ...JSON.parse(line),
    async close() {
      child.stdin.end()
      await exited
    },
  }
}
