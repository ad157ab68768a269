import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { runProgram } from './run-program.mjs'

/**
 * The shell is the first process of the space: it takes over and buries what others leave behind.
 * What it runs has a session inside, because one from outside has no number there.
 */
const unshare = [
  ...['--fork', '--pid', '--mount-proc', '--kill-child'],
  ...['sh', '-c', 'setsid --wait "$@"; exit $?', 'sh'],
]
/** Set for what runs there: no terminal sends it Ctrl-C. */
export const ownProcesses = 'TEST_OWN_PROCESSES'

/**
 * Runs a program where no process outside is seen or can be signalled, and where all it has started
 * ends with it and every mount is undone: on Linux, as root. Elsewhere as it is. Resolves with its
 * exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
export function runWithOwnProcesses(command, args, env) {
  if (!canHaveOwnProcesses()) return runProgram(command, args, { env, passOn: true })
  const inside = { env: { ...env, [ownProcesses]: 'yes' }, send: sendInside }
  return runProgram('unshare', [...unshare, command, ...args], inside)
}

/** Whether the system lets us: not without root, nor in every container. */
export function canHaveOwnProcesses() {
  return spawnSync('unshare', [...unshare, 'true'], { stdio: 'ignore' }).status === 0
}

/** For a program that has been told to end. Vitest finishes what it has begun first. */
const endMs = 20_000

/**
 * `unshare` hears no signal, nor does the shell.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function sendInside(child, signal) {
  const shell = firstChildOf(child.pid)
  const program = shell && firstChildOf(shell)
  try {
    if (program === undefined) child.kill('SIGKILL')
    else process.kill(program, signal)
  } catch {
    // It has just ended by itself.
  }
  if (signal !== 'SIGINT') setTimeout(() => child.kill('SIGKILL'), endMs).unref()
}

/** @param {number | undefined} pid */
function firstChildOf(pid) {
  return readdirSync('/proc')
    .map(Number)
    .find((child) => child > 0 && parentOf(child) === pid)
}

/** The fourth field of proc_pid_stat(5), behind a name that may hold anything. */
function parentOf(/** @type {number} */ pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}
