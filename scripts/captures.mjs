// npm run captures: plays conversations on a real terminal and keeps what it shows in
// docs/screens/terminal.
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.mjs'

const program = fileURLToPath(new URL('../apps/cli/src/stories/test-captures.ts', import.meta.url))
process.exitCode = await runProgram(process.execPath, ['--conditions=dataagent-source', program])
