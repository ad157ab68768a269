import { isPlainObject } from '@dataagent/schema'
import { parse } from 'smol-toml'
import { type Drafts, fromJson } from './from-json.ts'

const depthMax = 64

/** Whether text is a part of Codex's config.toml. */
export function isCodexToml(text: string): boolean {
  return /^[ \t]*\[+[ \t]*["']?mcp_servers\b/m.test(text) || /^[ \t]*mcp_servers\./m.test(text)
}

/** `[mcp_servers.name]` tables; undefined where the text is no TOML. */
export function fromToml(text: string): Drafts | undefined {
  const table = readToml(text)
  if (!isPlainObject(table) || !isPlainObject(table.mcp_servers)) return undefined
  return fromJson({ mcp_servers: table.mcp_servers })
}

function readToml(text: string): unknown {
  try {
    return parse(text, { maxDepth: depthMax })
  } catch {
    return undefined
  }
}
