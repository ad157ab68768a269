// npm start: sets up what is missing, then runs the platform.
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.mjs'
import { setUpOrExit } from './setup/set-up.mjs'

const main = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url))
const args = ['--conditions=dataagent-source', main, ...process.argv.slice(2)]
process.exitCode = await runProgram(await setUpOrExit(), args)
