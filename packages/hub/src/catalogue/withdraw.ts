import { highest } from './highest.ts'
import { standingOf, withStanding } from './row.ts'
import type { Known } from './tool-memory.ts'

/**
 * Takes a tool out of use where the last list of its server has it no longer, or (where it is
 * pinned) has another definition of it. In memory alone, and at once: the store follows.
 */
export function withdraw(known: Known, { isPinned }: { isPinned: boolean }): void {
  const { group, tool, hashes } = known
  const listed = group.listed.get(tool.name)
  if (tool.state !== 'active' || listed === tool.hash) return
  if (listed !== undefined && !isPinned) return
  const next = highest(tool.version, hashes.values()) + 1
  known.tool = withStanding(tool, {
    ...standingOf(tool),
    ...(listed === undefined
      ? { state: 'gone' }
      : { state: 'pending', pending_version: hashes.get(listed) ?? next }),
  })
  known.withdrawn = group.observations
}
