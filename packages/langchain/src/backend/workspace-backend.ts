import { randomUUID } from 'node:crypto'
import { createFileOperations, type Workspaces } from '@dataagent/core'
import type { Clock, Environment, SandboxOptions } from '@dataagent/guard'
import type { OwnToolContext } from '@dataagent/hub'
import type { BackendProtocolV2, SandboxBackendProtocolV2 } from 'deepagents'
import { createCommands } from './commands.ts'
import { createFileMethods } from './file-methods.ts'
import { createTransfers } from './transfers.ts'

export interface WorkspaceBackendOptions {
  workspaces: Workspaces
  /**
   * The call under way: whose workspace it is, who is told of changes, what ends it. Asked once at
   * the beginning of each method; what it throws is thrown.
   */
  contextOf(): OwnToolContext
  /** Whether commands can be run. Default no. */
  shell?: boolean | undefined
  /** Of commands. Default: nothing runs without a sandbox. */
  sandbox?: SandboxOptions | undefined
  /** All that commands get, apart from HOME. Default: where programs are, and UTF-8. */
  shellEnv?: Environment | undefined
  clock?: Clock | undefined
}

/**
 * DeepAgents' files and commands on the caller's own workspace: `/a/b.txt` is `a/b.txt` there, and
 * nothing else can be reached. Quotas, `file_operation` events and notes of origin are those of our
 * file tools, commands run as those of our shell. A method throws only when the signal of its call
 * is aborted; every other failure is told in its result.
 */
export function createWorkspaceBackend(
  options: WorkspaceBackendOptions & { shell: true },
): SandboxBackendProtocolV2
export function createWorkspaceBackend(options: WorkspaceBackendOptions): BackendProtocolV2
export function createWorkspaceBackend(
  options: WorkspaceBackendOptions,
): BackendProtocolV2 | SandboxBackendProtocolV2 {
  const { workspaces, contextOf, clock } = options
  const files = createFileOperations({ workspaces, clock })
  const backend = { ...createFileMethods(files, contextOf), ...createTransfers(files, contextOf) }
  if (!options.shell) return backend
  return { ...backend, id: `workspace-${randomUUID()}`, execute: createCommands(options) }
}
