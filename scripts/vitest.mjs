// Runs vitest with these arguments, then ends and names what its tests have left running.
import { randomUUID } from 'node:crypto'
import { argv, env, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { endLeftovers } from './end-leftovers.mjs'
import { ownProcesses } from './own-processes.mjs'
import { runProgram } from './run-program.mjs'

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const mark = { TEST_RUN_MARK: randomUUID() }
const graceMs = 30_000

const code = await runProgram(execPath, [vitest, ...argv.slice(2)], {
  env: { ...env, ...mark },
  ...(env[ownProcesses] && { send: (child, signal) => child.kill(signal) }),
})
for (const command of await endLeftovers(`TEST_RUN_MARK=${mark.TEST_RUN_MARK}`, graceMs)) {
  console.error(`A test has left a process behind, which was ended: ${command}`)
}
exit(code)
