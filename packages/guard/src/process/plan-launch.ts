import { AppError } from '@dataagent/schema/base'
import { type Bubblewrap, findBubblewrap, isolation } from './bubblewrap.ts'
import type { Environment } from './environment.ts'
import { withLimits } from './limits.ts'
import { type SandboxOptions, toSandboxView } from './sandbox.ts'
import { tagName } from './tag.ts'

/** The command line that starts a process, directly or in a sandbox. */
export type Launch =
  | { kind: 'plain'; file: string; args: readonly string[]; env: Environment }
  | { kind: 'sandboxed'; file: string; args: readonly string[]; env: Environment; view: string[] }

/**
 * Descriptors of the sandbox's own, after stdin, stdout and stderr: its view, its report of pids,
 * its list of users.
 */
export const sandboxFds = { view: 3, info: 4, passwd: 5 } as const

export interface LaunchNeeds {
  file: string
  args: readonly string[]
  env: Environment
  tag: string
  cwd: string | undefined
  sandbox: SandboxOptions
}

export async function planLaunch(needs: LaunchNeeds): Promise<Launch> {
  const { file, args, sandbox, tag } = needs
  const env = { ...needs.env, [tagName]: tag }
  if (sandbox.mode === 'off') return { kind: 'plain', file, args, env }
  const bubblewrap = await findBubblewrap(sandbox.bubblewrap)
  if (bubblewrap.status === 'ready') return planSandbox({ ...needs, env }, bubblewrap)
  if (sandbox.mode === 'required') throw toMissingError(bubblewrap)
  return { kind: 'plain', file, args, env }
}

async function planSandbox(
  needs: LaunchNeeds,
  bubblewrap: Bubblewrap & { status: 'ready' },
): Promise<Launch> {
  const { sandbox } = needs
  const areOptional = sandbox.mode === 'preferred'
  const argv = [needs.file, ...needs.args]
  const command = await withLimits(argv, sandbox.limits, { areOptional })
  const view = await toSandboxView({
    ...needs,
    hasSize: bubblewrap.options.has('--size'),
    passwdFd: sandboxFds.passwd,
  })
  return {
    kind: 'sandboxed',
    file: bubblewrap.path,
    args: [
      ...isolation(bubblewrap.options, sandbox.network),
      ...['--args', String(sandboxFds.view), '--info-fd', String(sandboxFds.info)],
      '--',
      ...command,
    ],
    // Its own environment stays readable in the sandbox, as that of process 1, whatever it passes
    // on.
    env: { [tagName]: needs.tag },
    view,
  }
}

function toMissingError(found: Bubblewrap): AppError {
  if (found.status !== 'broken') {
    return new AppError(
      'process_failed',
      'This process must run in a sandbox, and bubblewrap is not installed. Install it (Debian and Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap), or set the sandbox to "preferred".',
    )
  }
  return new AppError(
    'process_failed',
    `This process must run in a sandbox, and bubblewrap (${found.path}) cannot make one here: ${found.reason}. Allow user namespaces on this machine or container, or set the sandbox to "preferred".`,
  )
}
