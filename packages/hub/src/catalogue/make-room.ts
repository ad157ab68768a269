import { decideGone, isAccepted } from './decide.ts'
import { isUnusable } from './row.ts'
import type { Group, Known } from './tool-memory.ts'

/** What a list comes to where a server may have so many names, those that are gone included. */
interface Room {
  /** New ones that there is no place for. */
  refused: ReadonlySet<string>
  /** Gone ones that give their place up. */
  dropped: ReadonlySet<Known>
}

/**
 * The first of the new names are let in. What was in use, and what a person refused, is kept:
 * else a server could have it forgotten, and bring it back as something else.
 */
export function makeRoom(
  { tools }: Pick<Group, 'tools'>,
  listed: { has(name: string): boolean; keys(): Iterable<string> },
  max: number,
): Room {
  const added = [...listed.keys()].filter((name) => !tools.has(name))
  const over = tools.size + added.length - max
  if (over <= 0) return { refused: new Set(), dropped: new Set() }
  const unused = [...tools.values()].filter((known) => isForgettable(known, listed))
  const dropped = unused.sort((a, b) => a.tool.seen_at - b.tool.seen_at).slice(0, over)
  const places = Math.max(0, added.length - (over - dropped.length))
  return { refused: new Set(added.slice(places)), dropped: new Set(dropped) }
}

function isForgettable({ stored, tool }: Known, listed: { has(name: string): boolean }): boolean {
  if (stored === undefined || listed.has(tool.name) || isAccepted(stored)) return false
  return decideGone({ ...stored, unusable: isUnusable(tool) }).state === 'gone'
}
