import type { AllowEntry } from './contract.ts'
import { toToolPattern } from './tool-pattern.ts'

/** The entries of one allow-list, ready to be asked. */
export interface BoundList {
  allows(server_id: string, name: string): boolean
}

interface ToolSet {
  isAny: boolean
  names: Set<string>
  patterns: ((name: string) => boolean)[]
}

/** Made ready at the first question: most lists of an installation are never asked for here. */
export function createBoundList(entries: readonly AllowEntry[]): BoundList {
  let servers: Map<string, ToolSet> | undefined
  return {
    allows(server_id, name) {
      servers ??= toServers(entries)
      return isIn(servers.get(server_id), name) || isIn(servers.get('*'), name)
    },
  }
}

function toServers(entries: readonly AllowEntry[]): Map<string, ToolSet> {
  const servers = new Map<string, ToolSet>()
  for (const { server_id, tool } of entries) {
    const set = servers.get(server_id) ?? { isAny: false, names: new Set(), patterns: [] }
    servers.set(server_id, set)
    const pattern = toToolPattern(tool)
    if (pattern.kind === 'any') set.isAny = true
    else if (pattern.kind === 'exact') set.names.add(pattern.name)
    else set.patterns.push(pattern.matches)
  }
  return servers
}

function isIn(set: ToolSet | undefined, name: string): boolean {
  if (set === undefined) return false
  return set.isAny || set.names.has(name) || set.patterns.some((matches) => matches(name))
}
