import { AppError } from '@dataagent/schema'
import { type OwnTool, ownServerId } from '../define-tool/index.ts'
import type { ToolRef } from '../tool-ref.ts'
import type { CatalogueEntry } from './contract.ts'
import { toOwnNames } from './name-index.ts'
import { toOwnTool } from './own-tool.ts'

/**
 * Tools that a caller brings along, as an agent does: only it can see and call them, and no
 * allow-list has to name them. Rules, approvals, limits and the audit are the same as for all.
 */
export interface Toolset {
  /** In the order given. */
  readonly entries: readonly CatalogueEntry[]
  find(tool: string | ToolRef): CatalogueEntry | undefined
}

/** Makes a toolset. Throws `conflict` where two tools have one name. */
export function createToolset(tools: readonly OwnTool[]): Toolset {
  const byName = new Map<string, CatalogueEntry>()
  const entries = tools.map((own, position) => {
    const tool = toOwnTool(own, position, 0)
    const { accepted, ...names } = toOwnNames(tool)
    const entry: CatalogueEntry = {
      ...names,
      ...{ tool, own, offer: { status: 'offered' }, isBrought: true },
    }
    for (const name of accepted) {
      if (byName.has(name)) throw new AppError('conflict', `there are two tools named ${name}`)
      byName.set(name, entry)
    }
    return entry
  })
  return {
    entries,
    find(tool) {
      if (typeof tool === 'string') return byName.get(tool)
      return tool.server_id === ownServerId ? byName.get(tool.name) : undefined
    },
  }
}
