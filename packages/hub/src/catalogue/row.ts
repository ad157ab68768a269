import { type JsonValue, readJson, type ToolDefinition } from '@dataagent/schema'
import { type Finding, toVisible } from '../poisoning/index.ts'
import type { CatalogueTool, ToolRow } from './contract.ts'
import type { Standing } from './decide.ts'

export function toRow(tool: CatalogueTool): ToolRow {
  const { definition, findings, pending_version = null, ...columns } = tool
  return {
    ...columns,
    pending_version,
    definition: JSON.stringify(definition),
    findings: JSON.stringify(findings),
  }
}

export function fromRow({ definition, findings, pending_version, ...row }: ToolRow): CatalogueTool {
  return {
    ...row,
    definition: readStored(definition),
    findings: readJson(findings) as Finding[],
    ...(pending_version !== null && { pending_version }),
  }
}

function readStored(json: string): ToolDefinition {
  return readJson(json) as ToolDefinition
}

/** A definition as a server gave it, with what is hidden spelled out. */
export function readVisible(json: string): ToolDefinition {
  return toVisibleValue(readJson(json) as JsonValue) as unknown as ToolDefinition
}

function toVisibleValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return toVisible(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toVisibleValue)
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, inner]) => [toVisible(key), toVisibleValue(inner)]))
}

export function standingOf({ state, version, hash, pending_version }: CatalogueTool): Standing {
  return { state, version, hash, pending_version: pending_version ?? null }
}

export function withStanding(tool: CatalogueTool, standing: Standing): CatalogueTool {
  const { pending_version: _, ...rest } = tool
  const { state, version, hash, pending_version } = standing
  return { ...rest, state, version, hash, ...(pending_version !== null && { pending_version }) }
}

/** Whether no approval can bring it into use. */
export function isUnusable({ findings }: Pick<CatalogueTool, 'findings'>): boolean {
  return findings.some(({ kind }) => kind === 'unusable')
}
