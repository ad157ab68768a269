import type { Subject } from '../principal.ts'
import type { Effect } from './contract.ts'
import { toToolPattern } from './tool-pattern.ts'

/** What speaks of a subject and of tools: a rule or a limit. */
export interface Scoped {
  subject: Subject
  server_id: string
  tool: string
  /** Of a rule. */
  effect?: Effect
}

export function toSubjectKey({ kind, id }: Subject): string {
  return `${kind}:${id}`
}

/** Finds what fits a caller and a tool; the cost does not grow with what fits others. */
export function createSubjectIndex<T extends Scoped>() {
  const subjects = new Map<string, Map<string, ToolIndex<T>>>()

  function toolsOf({ subject, server_id }: T): ToolIndex<T> {
    const key = toSubjectKey(subject)
    const servers = subjects.get(key) ?? new Map<string, ToolIndex<T>>()
    subjects.set(key, servers)
    const tools = servers.get(server_id) ?? createToolIndex<T>()
    servers.set(server_id, tools)
    return tools
  }

  return {
    add: (item: T) => toolsOf(item).add(item),
    remove: (item: T) => toolsOf(item).remove(item),
    /** Adds to `found` what speaks of one of `keys`, of `server_id` or every server, and `name`. */
    find(keys: readonly string[], server_id: string | undefined, name: string, found: T[]): void {
      for (const key of keys) {
        const servers = subjects.get(key)
        if (servers === undefined) continue
        if (server_id !== undefined) servers.get(server_id)?.find(name, found)
        servers.get('*')?.find(name, found)
      }
    },
  }
}

interface ToolIndex<T> {
  add(item: T): void
  remove(item: T): void
  find(name: string, found: T[]): void
}

function createToolIndex<T extends Scoped>(): ToolIndex<T> {
  const exact = new Map<string, T[]>()
  let patterns: { item: T; matches: (name: string) => boolean }[] = []

  return {
    add(item) {
      const pattern = toToolPattern(item.tool)
      if (pattern.kind === 'exact') {
        const items = exact.get(pattern.name)
        if (items) items.push(item)
        else exact.set(pattern.name, [item])
      } else {
        patterns.push({
          item,
          matches: pattern.kind === 'any' ? () => true : toMatch(item, pattern),
        })
      }
    },
    remove(item) {
      const others = (exact.get(item.tool) ?? []).filter((each) => each !== item)
      if (others.length > 0) exact.set(item.tool, others)
      else exact.delete(item.tool)
      patterns = patterns.filter((each) => each.item !== item)
    },
    find(name, found) {
      const items = exact.get(name)
      if (items !== undefined) found.push(...items)
      for (const { item, matches } of patterns) if (matches(name)) found.push(item)
    },
  }
}

/**
 * A star stops at a slash. Where a rule denies or asks, a server must not get round it by a slash
 * in a tool's name: there it stops at nothing.
 */
function toMatch({ effect }: Scoped, { matches }: { matches: (name: string) => boolean }) {
  if (effect !== 'deny' && effect !== 'ask') return matches
  return (name: string) => matches(name) || matches(name.replaceAll('/', '.'))
}
