import { argv, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.mjs'

const main = fileURLToPath(new URL('../bench/src/harness/main.ts', import.meta.url))
const flags = ['--conditions=dataagent-source', '--expose-gc']

exit(await runProgram(execPath, [...flags, main, ...argv.slice(2)]))
