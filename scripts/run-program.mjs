import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Runs a program in our place: same terminal, signals passed on. Resolves with its exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>}
 */
export function runProgram(command, args, env = process.env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', env })
    // The terminal sends Ctrl-C to the child itself; we stay until it has ended.
    process.on('SIGINT', () => {})
    process.on('SIGTERM', () => child.kill('SIGTERM'))
    process.on('SIGHUP', () => child.kill('SIGHUP'))
    child.on('exit', (code, signal) =>
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']),
    )
  })
}
