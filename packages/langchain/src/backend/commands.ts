import { createShellMiddleware, ownerOf } from '@dataagent/core'
import type { OwnTool } from '@dataagent/hub'
import type { ExecuteResponse } from 'deepagents'
import { attempt, wordsOf } from './attempt.ts'
import type { WorkspaceBackendOptions } from './workspace-backend.ts'

const defaultEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' }

/** Runs command lines by our own shell tool. */
export function createCommands(
  options: WorkspaceBackendOptions,
): (command: string) => Promise<ExecuteResponse> {
  const { workspaces, contextOf, clock, shellEnv: env = defaultEnv } = options
  const { tools } = createShellMiddleware({
    ...{ env, clock, sandbox: options.sandbox ?? { mode: 'required' } },
    useFolder: (context, work) =>
      workspaces.useFolder(ownerOf(context), context.run?.untrusted ?? new Set(), work),
  })
  const shell = tools![0]!

  return async (command) => {
    const context = contextOf()
    const work = async () => toResponse(await shell.run({ command }, context))
    return await attempt(context, work, notRun)
  }
}

function notRun(error: unknown): ExecuteResponse {
  return { output: `[not run: ${wordsOf(error)}]`, exitCode: null, truncated: false }
}

type ShellResult = Awaited<ReturnType<OwnTool['run']>>

function toResponse({ content, structuredContent }: ShellResult): ExecuteResponse {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const exitCode = (structuredContent as { exit_code: number | null }).exit_code
  return {
    output: withoutEnd(text, `[exit code ${exitCode}]`),
    exitCode,
    truncated: /^\[… \d+ bytes left out …\]$/m.test(text),
  }
}

/** Whoever asked tells the exit code in words of their own. */
function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length).trimEnd() : text
}
