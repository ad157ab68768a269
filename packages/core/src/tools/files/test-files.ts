import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type CoreHub, startCoreHub } from '../../testing/test-hub.ts'
import {
  createWorkspaces,
  type Workspaces,
  type WorkspacesOptions,
} from '../../workspaces/index.ts'
import { createFileTools, type FileToolsOptions } from './file-tools.ts'

/** A hub whose toolset has the file tools. */
export interface FilesHub extends CoreHub {
  workspaces: Workspaces
  /** The folder of all workspaces. */
  root: string
  /** Puts a file into ada's workspace, past the tools; gives its path on the host. */
  put(path: string, content: string | Uint8Array): Promise<string>
}

export async function startFilesHub(
  options: Partial<WorkspacesOptions> & Partial<FileToolsOptions> = {},
): Promise<FilesHub> {
  const stack = new AsyncDisposableStack()
  let workspaces: Workspaces | undefined
  const core = await startCoreHub({
    tools({ dir }) {
      workspaces = createWorkspaces({ root: join(dir, 'workspaces'), ...options })
      return createFileTools({ workspaces, ...options })
    },
  })
  stack.use(core)
  stack.use(workspaces!)
  const root = join(core.dir, 'workspaces')
  return {
    ...core,
    root,
    workspaces: workspaces!,
    async put(path, content) {
      const target = join(root, 'ada', path)
      await workspaces!.use({ tenant_id: 'default', user_id: 'ada' }, async () => {})
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, content)
      return target
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
