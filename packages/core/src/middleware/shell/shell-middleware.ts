import { type Clock, type Environment, type SandboxOptions, systemClock } from '@dataagent/guard'
import { defineTool, type OwnTool, type OwnToolContext, ownServerId } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { z } from 'zod'
import type { FolderBounds } from '../../workspaces/index.ts'
import type { AgentMiddleware } from '../contract.ts'
import { type CommandResult, runCommand } from './run-command.ts'

export interface ShellOptions {
  /**
   * Runs `work` with the absolute path of the user's folder, which stays there meanwhile, and what
   * bounds it, where anything does. Throws where the principal has none.
   */
  useFolder<T>(
    context: Pick<OwnToolContext, 'principal' | 'run'>,
    work: (folder: string, bounds?: FolderBounds) => Promise<T>,
  ): Promise<T>
  /** The user's folder is added to what may be written. */
  sandbox: SandboxOptions
  /** All that commands get, apart from HOME: see guard's `baseEnvironment`. */
  env: Environment
  /** Default 60; a call may ask for up to `maxSeconds`. */
  defaultSeconds?: number | undefined
  /** Default 600. */
  maxSeconds?: number | undefined
  clock?: Clock | undefined
}

const commandMax = 20_000
/** For the end of a command that was stopped, beyond its own time. */
const endingMs = 30_000

/**
 * A shell [D7.4]: the tool `shell`, which asks for approval, runs in the user's folder and is
 * stopped with all it has started when its time is over or the run is cancelled.
 */
export function createShellMiddleware(options: ShellOptions): AgentMiddleware {
  return { name: 'ShellMiddleware', tools: [createShell(options)] }
}

function createShell(options: ShellOptions): OwnTool {
  const { useFolder, env, sandbox, clock = systemClock } = options
  const { defaultSeconds = 60, maxSeconds = 600 } = options
  const untrusted = sandbox.mode !== 'required' || sandbox.network === true
  return defineTool({
    name: 'shell',
    description:
      "Runs a command line with /bin/sh in the user's folder and gives its output and exit code. " +
      'It has no terminal and no input. Long output loses its middle: write it to a file instead.',
    category: 'shell',
    input: z.object({
      command: z.string().min(1).max(commandMax),
      timeout_seconds: z.int().min(1).max(maxSeconds).default(defaultSeconds),
      cwd: z.string().optional().describe("A folder within the user's, relative to it"),
    }),
    approval: 'ask',
    annotations: { destructiveHint: true, openWorldHint: true },
    untrusted,
    timeoutMs: maxSeconds * 1000 + endingMs,
    async run({ command, timeout_seconds, cwd }, context) {
      const { run, signal } = context
      assertInside(cwd)
      // What it writes is as doubtful as what it says.
      if (untrusted) run?.untrusted.add(ownServerId)
      const timeoutMs = timeout_seconds * 1000
      const needs = { command, cwd, env, sandbox, timeoutMs, signal, clock }
      const result = await useFolder(context, (folder, bounds) =>
        runCommand({ ...needs, folder, bounds }),
      )
      if (result.stopped === 'cancelled') throw new AppError('cancelled', 'It was cancelled.')
      return toResult(result, timeout_seconds)
    },
  })
}

function assertInside(cwd: string | undefined): void {
  if (cwd === undefined) return
  if (!cwd.startsWith('/') && !cwd.split('/').includes('..') && !cwd.includes('\0')) return
  throw new AppError('path_denied', 'cwd is a folder within the workspace, such as files/report.')
}

function toResult(result: CommandResult, seconds: number) {
  const { exit, stopped, output, output_bytes, sandboxed, duration_ms } = result
  const text = [output.trimEnd(), toEnd(result, seconds)].filter((part) => part !== '').join('\n')
  return {
    content: [{ type: 'text' as const, text }],
    structuredContent: {
      ...{ exit_code: exit.code, signal: exit.signal, stopped: stopped ?? null },
      ...{ output_bytes, sandboxed, duration_ms },
    },
    isError: stopped !== undefined,
  }
}

function toEnd({ exit, stopped, full, sandboxed }: CommandResult, seconds: number): string {
  const where = sandboxed ? '' : ', unsandboxed'
  if (stopped === 'timeout') return `[stopped after ${seconds} s, unfinished${where}]`
  if (stopped === 'quota') return `[stopped: ${full}${where}]`
  if (stopped === 'output') return `[stopped: it wrote too much${where}]`
  return `[${exit.signal ? `ended by ${exit.signal}` : `exit code ${exit.code}`}${where}]`
}
