import type { Workspace } from '@dataagent/guard'
import type { ExportedMemory, FactList } from './contract.ts'
import { assistantIn, factIdOf } from './fact-file.ts'
import { listIfThere } from './facts-folder.ts'

interface AssistantMemory {
  folder: string
  list(): Promise<FactList>
}

/**
 * Everything that is remembered of a user. An assistant's folder may be named by a digest, so its
 * name is read from one of its facts, and believed where the folder is the one of that name.
 */
export async function exportMemory(
  { workspace, folder }: { workspace: Workspace; folder: string },
  memoryOf: (assistant_id: string) => AssistantMemory,
): Promise<ExportedMemory[]> {
  const exported: ExportedMemory[] = []
  for (const entry of await listIfThere(workspace, folder)) {
    const found = `${folder}/${entry.path}`
    const assistant_id = await findAssistant(workspace, found)
    if (assistant_id === undefined) continue
    const memory = memoryOf(assistant_id)
    if (memory.folder !== found) continue
    const { facts } = await memory.list()
    if (facts.length > 0) exported.push({ assistant_id, facts })
  }
  return exported
}

async function findAssistant(workspace: Workspace, folder: string): Promise<string | undefined> {
  for (const { path } of await listIfThere(workspace, folder)) {
    if (factIdOf(path) === undefined) continue
    const read = await workspace.read(`${folder}/${path}`).catch(() => undefined)
    const assistant_id = read && assistantIn(read.bytes.toString('utf8'))
    if (assistant_id !== undefined && assistant_id !== '') return assistant_id
  }
  return undefined
}
