import { argv, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.mjs'

const main = fileURLToPath(new URL('../faults/src/figures/figures-main.ts', import.meta.url))

exit(await runProgram(execPath, ['--conditions=dataagent-source', main, ...argv.slice(2)]))
