import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '@dataagent/schema/base'
import { type Clock, systemClock } from '../clock.ts'
import { checkEnvironment, type Environment } from './environment.ts'
import { type Launch, planLaunch } from './plan-launch.ts'
import { createHandle, type ProcessHandle, type StartedChild } from './process-handle.ts'
import { hostReaper } from './reaper.ts'
import { resolveCommand } from './resolve-command.ts'
import type { SandboxOptions } from './sandbox.ts'
import { toStartError } from './start-error.ts'

export interface ProcessOptions {
  /** An absolute path, or a name looked up in `env.PATH`. Never read by a shell. */
  command: string
  args?: readonly string[]
  /** All that the process gets; nothing is inherited. See `baseEnvironment`. */
  env: Environment
  /**
   * Default: the host's own folder; in a sandbox its private /tmp. A sandbox may read it; to write
   * it, declare it.
   */
  cwd?: string
  /** Default: off. */
  sandbox?: SandboxOptions
  /** How much of the end of stderr is kept. Default 64 KiB. */
  stderrBytes?: number
  /** Gets the lines of stderr, in the long run at most 50 a second. Must not throw. */
  onStderr?: (line: string) => void
  /** Aborted before the start, nothing is started; later, the process is stopped. */
  signal?: AbortSignal
  /** How long a stop waits before it kills. Default 5 s. */
  graceMs?: number
  clock?: Clock
}

/**
 * Starts a process that cannot outlive this one, sees only the declared environment, and is in a
 * sandbox if so asked. Rejects with `process_failed` when it cannot be started; what happens later
 * is told by `exited`.
 */
export async function startProcess(options: ProcessOptions): Promise<ProcessHandle> {
  const { command, args = [], env, signal, sandbox = { mode: 'off' } } = options
  const cwd = options.cwd === undefined ? undefined : resolve(options.cwd)
  throwIfAborted(signal)
  checkEnvironment(env)
  if (cwd !== undefined) await checkFolder(cwd)
  const file = await resolveCommand(command, env)
  const reaper = hostReaper()
  const tag = `${reaper.tag}${randomBytes(8).toString('hex')}.`
  const launch = await planLaunch({ file, args, env, tag, cwd, sandbox })
  throwIfAborted(signal)
  const child = spawnLaunch(launch, { command, cwd })
  if (!isStarted(child)) throw toStartError(command, (await once(child, 'error'))[0])
  reaper.add(child.pid)
  return createHandle({
    child,
    launch,
    tag,
    signal,
    stderrBytes: options.stderrBytes ?? 64 * 1024,
    onStderr: options.onStderr,
    graceMs: options.graceMs ?? 5000,
    clock: options.clock ?? systemClock,
    onExit: () => reaper.remove(child.pid),
  })
}

function spawnLaunch(launch: Launch, asked: { command: string; cwd: string | undefined }) {
  const isSandboxed = launch.kind === 'sandboxed'
  try {
    return spawn(launch.file, launch.args, {
      cwd: isSandboxed ? '/' : asked.cwd,
      env: launch.env,
      stdio: new Array(isSandboxed ? 6 : 3).fill('pipe'),
      detached: process.platform !== 'win32',
      windowsHide: true,
      shell: false,
    })
  } catch (error) {
    throw toStartError(asked.command, error)
  }
}

function isStarted(child: ChildProcess): child is StartedChild {
  return child.pid !== undefined
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  throw new AppError('cancelled', 'Cancelled before the process was started.', {
    cause: signal.reason,
  })
}

async function checkFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => undefined)
  if (found?.isDirectory()) return
  throw new AppError(
    'process_failed',
    `The folder "${cwd}" in which the process is to start does not exist. Make it, or name another.`,
  )
}
