import { runInTerminal } from './run-in-terminal.ts'

// Runs the command of its arguments in its own terminal, and then tells how it ended.
const [command = '', ...args] = process.argv.slice(2)
const env = { PATH: process.env.PATH ?? '', LEFT: 'alone' }
const exit = await runInTerminal({ command, args, env }).catch((error) => error.message)
process.stdout.write(`ended ${JSON.stringify(exit)}\n`)
