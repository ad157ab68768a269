import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { waitFor } from '@dataagent/testkit'

export const launcher = join(import.meta.dirname, '../../../../scripts/dataagent.mjs')

export interface RunningProgram extends AsyncDisposable {
  process: ChildProcess
  stdout(): string
  stderr(): string
  /** Its exit code, or the signal it died of. */
  ended: Promise<number | string>
  /** Resolves when standard error holds this. */
  said(text: string): Promise<unknown>
}

export interface TestProgramOptions {
  env?: Record<string, string>
  cwd?: string
  /** Standard input; without it there is none. `open`: one that stays silent. */
  input?: string | { open: true }
  /** The file that is run. Default: that of this repository. */
  program?: string
}

/** Starts `dataagent` as people do, without a terminal. */
export function startProgram(
  args: readonly string[],
  { env = {}, cwd, input, program = launcher }: TestProgramOptions = {},
): RunningProgram {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', LANG: 'C.UTF-8', ...env },
    ...(cwd !== undefined && { cwd }),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => (stdout += chunk))
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  if (typeof input === 'string') child.stdin?.end(input)
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  return {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    said: (text) => waitFor(() => stderr.includes(text), { timeoutMs: 20_000, what: text }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

export interface ProgramEnd {
  code: number | string
  stdout: string
  stderr: string
}

/** The same, to its end. */
export async function runProgram(
  args: readonly string[],
  options: TestProgramOptions = {},
): Promise<ProgramEnd> {
  await using program = startProgram(args, options)
  const code = await program.ended
  return { code, stdout: program.stdout(), stderr: program.stderr() }
}
