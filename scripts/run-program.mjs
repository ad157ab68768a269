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
    // A terminal sends Ctrl-C to the child itself; we stay until it has ended.
    process.on('SIGINT', () => {
      if (!process.stdin.isTTY) child.kill('SIGINT')
    })
    process.on('SIGTERM', () => child.kill('SIGTERM'))
    process.on('SIGHUP', () => child.kill('SIGHUP'))
    whenParentEnds(() => child.kill('SIGTERM'))
    child.on('exit', (code, signal) =>
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']),
    )
  })
}

/**
 * npm's shell dies of a signal without passing it on: who stops npm would leave the program
 * running.
 * @param {() => void} act
 */
function whenParentEnds(act) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, 250)
  timer.unref()
}
