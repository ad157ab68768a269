import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createWorkspaces, type Workspaces, type WorkspacesOptions } from '@dataagent/core'
import type { OwnToolContext } from '@dataagent/hub'
import type { ExecutionEvent } from '@dataagent/schema'
import { temporaryDirectory } from '@dataagent/testkit'
import type { SandboxBackendProtocolV2 } from 'deepagents'
import { createWorkspaceBackend, type WorkspaceBackendOptions } from './workspace-backend.ts'

/** A backend, with commands, on ada's workspace. */
export interface BackendRig extends AsyncDisposable {
  backend: SandboxBackendProtocolV2
  workspaces: Workspaces
  /** Of the next call. */
  context: OwnToolContext
  events: ExecutionEvent[]
  /** Holds the folder of all workspaces, and what is outside of them. */
  dir: string
  /** Ada's workspace. */
  folder: string
  /** Puts a file into ada's workspace, past the backend. */
  put(path: string, content: string | Uint8Array): Promise<void>
  /** A run that has read what these servers gave is the one that calls from now on. */
  beginRun(...servers: string[]): Set<string>
  /** All files outside of ada's workspace, with their content. */
  outside(): Promise<string[]>
}

type RigOptions = Partial<WorkspacesOptions> & Pick<WorkspaceBackendOptions, 'sandbox'>

export async function startBackend(options: RigOptions = {}): Promise<BackendRig> {
  const stack = new AsyncDisposableStack()
  const { path: dir } = stack.use(await temporaryDirectory())
  const root = join(dir, 'workspaces')
  const folder = join(root, 'ada')
  const workspaces = stack.use(createWorkspaces({ root, ...options }))
  const events: ExecutionEvent[] = []
  const context: OwnToolContext = {
    principal: { tenant_id: 'default', user_id: 'ada', role: 'user' },
    ...{ session_id: 's1', call_id: 'c1', tool_call_id: 'call-1' },
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
  }
  const backend = createWorkspaceBackend({
    ...{ workspaces, contextOf: () => context, shell: true },
    sandbox: options.sandbox,
  })
  await workspaces.use({ tenant_id: 'default', user_id: 'ada' }, async () => {})
  return {
    ...{ backend, workspaces, context, events, dir, folder },
    async put(path, content) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    },
    beginRun(...servers) {
      const untrusted = new Set(servers)
      context.run = { run_id: 'r', untrusted }
      return untrusted
    },
    outside: () => outside(dir, folder),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function outside(dir: string, folder: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  const kept = paths.filter((path) => path !== folder && !path.startsWith(`${folder}/`))
  const read = async (path: string) => `${path}: ${await readFile(path, 'utf8').catch(() => '/')}`
  return await Promise.all(kept.sort().map(read))
}
