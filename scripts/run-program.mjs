import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env]
 * @property {(child: ChildProcess, signal: NodeJS.Signals) => void} [send] How a signal reaches a
 *   program that is not the child itself and does not hear the terminal.
 * @property {boolean} [passOn] Where nobody looks at a terminal the output goes through us: who
 *   reads it does not wait for what the program leaves behind.
 */

/** For the last of the output, once the program has ended. */
const lastOutputMs = 2_000

/**
 * Runs a program in our place: same terminal, signals passed on. Resolves with its exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>}
 */
export function runProgram(command, args, { env = process.env, send, passOn = false } = {}) {
  return new Promise((resolve) => {
    const through = passOn && !process.stdout.isTTY
    const output = through ? 'pipe' : 'inherit'
    const child = spawn(command, args, { stdio: ['inherit', output, output], env })
    child.stdout?.pipe(process.stdout)
    child.stderr?.pipe(process.stderr)
    const pass = (/** @type {NodeJS.Signals} */ signal) =>
      send ? send(child, signal) : child.kill(signal)
    // A terminal sends Ctrl-C to the child itself; we stay until it has ended.
    process.on('SIGINT', () => {
      if (send || !process.stdin.isTTY) pass('SIGINT')
    })
    process.on('SIGTERM', () => pass('SIGTERM'))
    process.on('SIGHUP', () => pass('SIGHUP'))
    whenParentEnds(() => pass('SIGTERM'))
    child.on('exit', (code, signal) => {
      const end = () => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL'])
      if (!through) return end()
      child.on('close', end)
      setTimeout(end, lastOutputMs)
    })
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
