import type { Workspace } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema'

/** Keeps what a folder takes on disk at or below its limit, by removing what is oldest. */
export interface Room {
  /** To be told of what was written. Never rejects. */
  note(folder: string, bytes: number): Promise<void>
}

/** So much of the limit is written before it is looked again: others may write there too. */
const lookShare = 1 / 16
const entriesMax = 1_000_000

export function createRoom(
  files: Pick<Workspace, 'list' | 'remove'>,
  { maxBytes }: { maxBytes: number },
): Room {
  const written = new Map<string, number>()

  async function makeRoom(folder: string): Promise<void> {
    const { entries } = await files.list(folder, { maxEntries: entriesMax })
    let total = entries.reduce((sum, { size }) => sum + size, 0)
    for (const { path, size } of entries.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= maxBytes * (1 - lookShare)) return
      await files.remove(`${folder}/${path}`).catch(ignoreMissing)
      total -= size
    }
  }

  return {
    async note(folder, bytes) {
      const sum = (written.get(folder) ?? 0) + bytes
      const isDue = sum > maxBytes * lookShare
      written.set(folder, isDue ? 0 : sum)
      // What cannot be removed now is tried again with what is written next.
      if (isDue) await makeRoom(folder).catch(() => {})
    },
  }
}

/** Another has removed it. */
export function ignoreMissing(error: unknown): void {
  if (!isAppError(error, 'not_found')) throw error
}
