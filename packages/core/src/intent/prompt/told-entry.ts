import type { CatalogueEntry } from '@dataagent/hub'
import { estimateTokens, type ModelTool } from '../../models/index.ts'
import { toOneSentence } from './one-sentence.ts'

/** A tool as the model is told of it: in full, and as one line. */
export interface ToldEntry {
  readonly tool: ModelTool
  readonly tokens: number
  /** Level 1: `- wire_name: one sentence`. */
  readonly line: string
  readonly lineTokens: number
}

const sentenceMax = 120
const kept = new WeakMap<CatalogueEntry, ToldEntry>()

/** Computed at first sight of an entry, which never changes. */
export function toToldEntry(entry: CatalogueEntry): ToldEntry {
  const known = kept.get(entry)
  if (known) return known
  const { definition } = entry.tool
  const description = definition.description ?? definition.title ?? ''
  const tool: ModelTool = {
    name: entry.wire_name,
    description,
    parameters: definition.inputSchema,
  }
  const sentence = toOneSentence(description, sentenceMax)
  const line = sentence === '' ? `- ${tool.name}` : `- ${tool.name}: ${sentence}`
  const told: ToldEntry = {
    tool,
    tokens: estimateTokens(JSON.stringify(tool)),
    line,
    lineTokens: estimateTokens(line) + 1,
  }
  kept.set(entry, told)
  return told
}
