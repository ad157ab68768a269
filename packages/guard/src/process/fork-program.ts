import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { AppError } from '@dataagent/schema/base'
import { type Clock, systemClock } from '../clock.ts'
import { checkEnvironment, type Environment } from './environment.ts'
import type { ProcessExit } from './process-handle.ts'

export interface ForkOptions {
  /** A module of ours, absolute, that this Node runs. */
  file: string
  args?: readonly string[]
  /** For Node itself. */
  nodeArgs?: readonly string[]
  /** All that the process gets; nothing is inherited. */
  env: Environment
  cwd?: string
  /** Where all goes that it writes: an open file. */
  output: number
  /** Gets what it sends. Must not throw. */
  onMessage(message: unknown): void
  clock?: Clock
}

/**
 * A program of ours in a process, and a session, of its own. Unlike others it is trusted to end by
 * itself: when this process ends, in whatever way, their channel closes, and it must stop then.
 */
export interface ForkedProgram {
  readonly pid: number
  /** False where it has gone. */
  send(message: object): boolean
  /** Settles the moment the process has gone; never rejects. */
  readonly exited: Promise<ProcessExit>
  /** TERM, and KILL after `graceMs`; settles when it has gone. Later calls join the first. */
  stop(options: { graceMs: number }): Promise<ProcessExit>
}

/** Rejects with `process_failed` when it cannot be started. */
export async function forkProgram(options: ForkOptions): Promise<ForkedProgram> {
  const { file, args = [], nodeArgs = [], env, cwd, output, clock = systemClock } = options
  checkEnvironment(env)
  const child = fork(file, [...args], {
    ...{ env, execArgv: [...nodeArgs], ...(cwd !== undefined && { cwd }) },
    stdio: ['ignore', output, output, 'ipc'],
    // The keys of the terminal are not for it.
    detached: process.platform !== 'win32',
  })
  child.on('message', options.onMessage)
  const exited = once(child, 'exit').then(([code, signal]): ProcessExit => ({ code, signal }))
  exited.catch(() => {})
  try {
    await once(child, 'spawn')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown'
    throw new AppError('process_failed', `Node could not be started (${code}).`, { cause })
  }
  // A message that it is too late for is no error of ours.
  child.on('error', () => {})
  let stopping: Promise<ProcessExit> | undefined
  return {
    pid: child.pid!,
    send: (message) => child.connected && child.send(message, () => {}),
    exited,
    stop({ graceMs }) {
      stopping ??= stop(child, exited, () => clock.after(graceMs, () => child.kill('SIGKILL')))
      return stopping
    },
  }
}

async function stop(
  child: ChildProcess,
  exited: Promise<ProcessExit>,
  killLater: () => () => void,
) {
  child.kill('SIGTERM')
  const cancel = killLater()
  return await exited.finally(cancel)
}
