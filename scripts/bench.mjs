import { spawn } from 'node:child_process'
import process, { argv, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../bench/src/harness/main.ts', import.meta.url))
const flags = ['--conditions=dataagent-source', '--expose-gc']
const child = spawn(execPath, [...flags, main, ...argv.slice(2)], { stdio: 'inherit' })

// The terminal sends Ctrl-C to both: the benchmark cleans up, and we wait for it.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code) => exit(code ?? 1))
