// npm start: sets up what is missing, then runs the platform.
import { runProgram } from './run-program.mjs'
import { setUp } from './setup.mjs'

const node = await setUp()
const args = ['--conditions=dataagent-source', 'apps/server/src/main.ts', ...process.argv.slice(2)]
process.exitCode = await runProgram(node, args)
