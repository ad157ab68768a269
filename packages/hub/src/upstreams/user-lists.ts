import { isPlainObject } from '@dataagent/schema'
import { sha256, toCanonicalJson } from '../canonical-json.ts'

type Tools = readonly unknown[]

/**
 * What each user sees of a server that everyone has credentials of their own for. The catalogue
 * knows one list of a server: all that any of them sees, so that one user's rights do not take away
 * another's tools. Whether a user may call a tool is for the server to say.
 */
export interface UserLists {
  /** Takes over what a user sees now; gives what all see together. */
  set(user_id: string, tools: Tools): Tools
  clear(): void
}

export function createUserLists(): UserLists {
  const hashes = new Map<string, string>()
  /** Most users see the same: each list is kept once. */
  const lists = new Map<string, Tools>()

  return {
    set(user_id, tools) {
      const hash = sha256(toCanonicalJson(tools))
      hashes.set(user_id, hash)
      if (!lists.has(hash)) lists.set(hash, tools)
      const used = new Set(hashes.values())
      for (const known of lists.keys()) if (!used.has(known)) lists.delete(known)
      return lists.size === 1 ? tools : merge(lists.values())
    },
    clear() {
      hashes.clear()
      lists.clear()
    },
  }
}

/** Of two definitions of a name the one that was there first stays. */
function merge(lists: Iterable<Tools>): unknown[] {
  const merged = new Map<unknown, unknown>()
  for (const tools of lists) {
    for (const tool of tools) {
      const name = isPlainObject(tool) ? tool.name : tool
      if (!merged.has(name)) merged.set(name, tool)
    }
  }
  return [...merged.values()]
}
