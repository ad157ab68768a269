import type { McpTool } from '../tools/contract.ts'
import { createNameTable } from '../tools/name-table.ts'

/** A tool whose name is that of another. */
export interface Clash {
  tool: McpTool
  holder: McpTool
}

/**
 * Which tool a name means, over all servers of a manager. Two pairs of server and tool can give one
 * name: tool `c` of `a.b`, and tool `b.c` of `a`. Who has it first keeps it, also while its server
 * cannot be reached, so that a name never comes to mean a tool of another server by surprise.
 */
export interface ToolNames {
  /** By name or wire name. */
  get(name: string): McpTool | undefined
  /** Gives a server's tools their names in place of those it had; tells which it cannot give. */
  claim(server: string, tools: readonly McpTool[]): Clash[]
  release(server: string): void
}

/** Creates an empty table of names. */
export function createToolNames(): ToolNames {
  const table = createNameTable<McpTool>()
  const claimed = new Map<string, string[]>()

  return {
    get: table.get,
    claim(server, tools) {
      release(server)
      const clashes = tools.flatMap((tool) => claimOne(tool))
      const refused = new Set(clashes.map(({ tool }) => tool))
      const kept = tools.filter((tool) => !refused.has(tool))
      claimed.set(
        server,
        kept.map(({ name }) => name),
      )
      return clashes
    },
    release,
  }

  function claimOne(tool: McpTool): Clash[] {
    const holder = table.holderOf(tool.name)
    if (holder !== undefined) return [{ tool, holder }]
    table.add(tool.name, tool)
    return []
  }

  function release(server: string): void {
    for (const name of claimed.get(server) ?? []) table.remove(name)
    claimed.delete(server)
  }
}

/** What is wrong with the name of a tool. */
export function describeClash({ tool, holder }: Clash): string {
  const other = `tool "${holder.originalName}" of server "${holder.server}"`
  return `tool "${tool.originalName}" would be called "${tool.name}", as ${other} is`
}
