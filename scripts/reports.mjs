// npm run reports: load on the real server with the model's stand-in; writes docs/reports.
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.mjs'

const program = fileURLToPath(new URL('../bench/src/reports/reports-main.ts', import.meta.url))
process.exitCode = await runProgram(process.execPath, ['--conditions=dataagent-source', program])
