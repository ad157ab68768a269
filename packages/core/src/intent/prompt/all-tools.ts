import type { CatalogueEntry } from '@dataagent/hub'
import { estimateTokens, type ModelTool } from '../../models/index.ts'
import type { ToolServer } from '../contract.ts'
import { keptByLists } from '../kept-by-lists.ts'
import { toServerNotes } from './server-text.ts'
import { toToldEntry } from './told-entry.ts'

/** Every MCP tool in full. */
export interface AllTools {
  readonly text: string
  readonly tools: readonly ModelTool[]
  readonly tokens: number
  readonly byWireName: ReadonlyMap<string, CatalogueEntry>
}

/** Computed once for the same lists. */
export const allToolsOf = keptByLists(compute)

function compute(entries: readonly CatalogueEntry[], servers: readonly ToolServer[]): AllTools {
  const told = entries.map(toToldEntry)
  const text = toServerNotes(entries, servers)
  return {
    text,
    tools: told.map(({ tool }) => tool),
    tokens: told.reduce((sum, { tokens }) => sum + tokens, estimateTokens(text)),
    byWireName: new Map(entries.map((entry) => [entry.wire_name, entry])),
  }
}
