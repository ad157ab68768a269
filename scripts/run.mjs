// node scripts/run.mjs NAME [arguments]: sets up what is missing, then runs scripts/NAME.mjs.
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.mjs'
import { setUpOrExit } from './setup/set-up.mjs'

const [name = '', ...args] = process.argv.slice(2)
const script = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url))
process.exitCode = await runProgram(await setUpOrExit(), [script, ...args])
