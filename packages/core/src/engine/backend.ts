import type { SandboxOptions } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { Workspaces } from '../workspaces/index.ts'

/** Where an agent's files are and its commands run. */
export interface Backend {
  /** `workspace`: files, and commands in a sandbox where there is one. */
  readonly kind: 'workspace' | SandboxKind
  readonly workspaces: Workspaces
  readonly sandbox: SandboxOptions
}

/** `bubblewrap`: nothing runs without it. `none`: commands run as the server's own user. */
export const sandboxKinds = ['bubblewrap', 'none'] as const
export type SandboxKind = (typeof sandboxKinds)[number]

const limits = { memoryBytes: 2 * 1024 ** 3, openFiles: 1_024, processes: 256, cpuSeconds: 600 }
const modes = { workspace: 'preferred', bubblewrap: 'required', none: 'off' } as const

/** Throws `config_invalid` for a kind of sandbox that there is not. */
export function createBackend(
  sandbox_type: string | null | undefined,
  workspaces: Workspaces,
): Backend {
  const kind = sandbox_type ?? 'workspace'
  if (sandbox_type === kind && !isKind(kind)) {
    const known = sandboxKinds.join(', ')
    throw new AppError('config_invalid', `There is no sandbox "${kind}". There are: ${known}.`)
  }
  const known = kind as Backend['kind']
  return { kind: known, workspaces, sandbox: { mode: modes[known], limits } }
}

function isKind(kind: string): kind is SandboxKind {
  return (sandboxKinds as readonly string[]).includes(kind)
}
