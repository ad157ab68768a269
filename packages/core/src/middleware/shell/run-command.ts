import {
  type Clock,
  type Environment,
  type ProcessExit,
  type ProcessHandle,
  type SandboxOptions,
  startProcess,
} from '@dataagent/guard'
import type { FolderBounds } from '../../workspaces/index.ts'
import { createOutputWindow, type OutputWindow } from './output-window.ts'

export interface CommandNeeds {
  command: string
  /** Absolute: the only folder that it may write to where there is a sandbox. */
  folder: string
  /** Relative to the folder. */
  cwd: string | undefined
  env: Environment
  sandbox: SandboxOptions
  timeoutMs: number
  signal: AbortSignal
  bounds: FolderBounds | undefined
  clock: Clock
}

export interface CommandResult {
  exit: ProcessExit
  /** Why it was stopped, where it did not end by itself. */
  stopped: 'timeout' | 'output' | 'quota' | 'cancelled' | undefined
  /** Where it was for want of room: what is full. */
  full: string | undefined
  output: string
  output_bytes: number
  sandboxed: boolean
  duration_ms: number
}

const headBytes = 16 * 1024
const tailBytes = 16 * 1024
/** Nobody reads so much; what goes on writing is stopped. */
const totalBytes = 64 * 1024 * 1024
const graceMs = 500

/**
 * Runs a command line by `/bin/sh` until it ends or is stopped; whatever it has started ends with
 * it. Rejects as `startProcess` does.
 */
export async function runCommand(needs: CommandNeeds): Promise<CommandResult> {
  const { folder, clock, signal, timeoutMs, sandbox, bounds } = needs
  const limits = { ...sandbox.limits, ...(bounds && { fileBytes: bounds.maxFileBytes }) }
  const started = clock.monotonic()
  await using handle = await startProcess({
    command: '/bin/sh',
    args: toArguments(needs),
    env: { ...needs.env, HOME: folder, PWD: folder },
    cwd: folder,
    sandbox: { ...sandbox, limits, write: [...(sandbox.write ?? []), folder] },
    ...{ signal, graceMs, clock },
  })
  const output = createOutputWindow(headBytes, tailBytes)
  const stopped = await watch(handle, { output, timeoutMs, clock, signal, bounds })
  const exit = await handle.stop({ graceMs })
  return {
    ...{ exit, stopped, sandboxed: handle.sandboxed },
    full: stopped === 'quota' ? String(bounds?.signal.reason.message) : undefined,
    ...{ output: output.text(), output_bytes: output.total },
    duration_ms: Math.round(clock.monotonic() - started),
  }
}

/** The folder is entered by the shell, within the sandbox, so that a link leads nowhere else. */
function toArguments({ command, cwd }: CommandNeeds): string[] {
  const script = `exec 2>&1\n${command}`
  if (cwd === undefined) return ['-c', script]
  return ['-c', `cd -- "$1" || exit 2\nshift\n${script}`, 'sh', cwd]
}

interface Watched {
  output: OutputWindow
  timeoutMs: number
  clock: Clock
  signal: AbortSignal
  bounds: FolderBounds | undefined
}

/** Waits for the end, or for a reason to stop it. */
async function watch(
  handle: ProcessHandle,
  { output, timeoutMs, clock, signal, bounds }: Watched,
): Promise<CommandResult['stopped']> {
  const { promise, resolve } = Promise.withResolvers<CommandResult['stopped']>()
  const cancelTimer = clock.after(timeoutMs, () => resolve('timeout'))
  const ended = new AbortController()
  const onAbort = (by: AbortSignal | undefined, why: CommandResult['stopped']) => {
    by?.addEventListener('abort', () => resolve(why), { once: true, signal: ended.signal })
    if (by?.aborted) resolve(why)
  }
  onAbort(signal, 'cancelled')
  onAbort(bounds?.signal, 'quota')
  handle.stdin.end()
  handle.stdout.on('data', (chunk: Buffer) => {
    output.push(chunk)
    if (output.total > totalBytes) resolve('output')
  })
  void handle.exited.then(() => resolve(undefined))
  const stopped = await promise
  cancelTimer()
  ended.abort()
  return stopped
}
