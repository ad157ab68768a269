import type { Workspace } from '@dataagent/guard'
import { timeInName } from './fact-file.ts'
import { listIfThere, removeIfThere } from './facts-folder.ts'

interface SweepNeeds {
  workspace: Workspace
  /** What was made before it goes. */
  oldest: number
  signal?: AbortSignal | undefined
}

/** Removes old facts, what damaged ones left, and folders that are empty thereafter. */
export async function sweepMemory(needs: SweepNeeds): Promise<{ removed: number }> {
  let removed = 0
  for (const user of await userFolders(needs.workspace)) {
    for (const assistant of await foldersIn(needs.workspace, user)) {
      needs.signal?.throwIfAborted()
      removed += await sweepFolder(needs, assistant)
    }
    await removeIfEmpty(needs.workspace, user)
  }
  await needs.workspace.sweep()
  return { removed }
}

async function sweepFolder({ workspace, oldest }: SweepNeeds, folder: string): Promise<number> {
  let removed = 0
  for (const { path, mtimeMs } of await listIfThere(workspace, folder)) {
    if ((timeInName(path) ?? mtimeMs) >= oldest) continue
    if (await removeIfThere(workspace, `${folder}/${path}`)) removed += 1
  }
  await removeIfEmpty(workspace, folder)
  return removed
}

/** Those of the default tenant, and those below the folders of others. */
async function userFolders(workspace: Workspace): Promise<string[]> {
  const folders: string[] = []
  for (const name of await foldersIn(workspace, '.')) {
    if (name.startsWith('@')) folders.push(...(await foldersIn(workspace, name)))
    else folders.push(name)
  }
  return folders
}

async function foldersIn(workspace: Workspace, folder: string): Promise<string[]> {
  const entries = await listIfThere(workspace, folder)
  const names = entries.filter(({ kind }) => kind === 'dir').map(({ path }) => path)
  return folder === '.' ? names : names.map((name) => `${folder}/${name}`)
}

/** A folder that is not empty, or that someone has just written to, stays. */
async function removeIfEmpty(workspace: Workspace, folder: string): Promise<void> {
  await workspace.remove(folder).catch(() => {})
}
