import { fitsPattern } from './tool-pattern.ts'

export interface AllowEntry {
  server_id: string
  tool: string
}

/** A tool by what a list knows it by. */
export interface KnownTool {
  server_id: string
  name: string
}

function holds({ server_id, tool }: AllowEntry, known: KnownTool): boolean {
  const isServer = server_id === '*' || server_id === known.server_id
  return isServer && fitsPattern(tool, known.name)
}

export function isBound(entries: readonly AllowEntry[], tool: KnownTool): boolean {
  return entries.some((entry) => holds(entry, tool))
}

/** How many of these tools a list holds: all, some or none. */
export function boundPart(
  entries: readonly AllowEntry[],
  tools: readonly KnownTool[],
): 'all' | 'some' | 'none' {
  const bound = tools.filter((tool) => isBound(entries, tool)).length
  if (bound === 0) return 'none'
  return bound === tools.length ? 'all' : 'some'
}

const toEntry = ({ server_id, name }: KnownTool): AllowEntry => ({
  server_id,
  // A name is no pattern: what a pattern reads otherwise stands for itself.
  tool: name.replaceAll(/[*?[\\]/g, '\\$&'),
})

/** The list with these tools too. */
export function bind(entries: readonly AllowEntry[], tools: readonly KnownTool[]): AllowEntry[] {
  const missing = tools.filter((tool) => !isBound(entries, tool))
  return [...entries, ...missing.map(toEntry)]
}

/**
 * The list without these tools. Where a pattern held one, the pattern goes, and each of the other
 * tools that it held is listed by its name: tools that come later are then no longer allowed by it.
 */
export function unbind(
  entries: readonly AllowEntry[],
  tools: readonly KnownTool[],
  every: readonly KnownTool[],
): AllowEntry[] {
  const isGone = (entry: AllowEntry) => tools.some((tool) => holds(entry, tool))
  const kept = entries.filter((entry) => !isGone(entry))
  return bind(kept, leftOf(entries, tools, every))
}

/** The list with nothing but names, without these tools: none that comes later is on it. */
export function nameEach(
  entries: readonly AllowEntry[],
  without: readonly KnownTool[],
  every: readonly KnownTool[],
): AllowEntry[] {
  return bind([], leftOf(entries, without, every))
}

/** Those of `every` that the list holds, apart from these tools. */
function leftOf(
  entries: readonly AllowEntry[],
  tools: readonly KnownTool[],
  every: readonly KnownTool[],
): KnownTool[] {
  const isNamed = ({ server_id, name }: KnownTool) =>
    tools.some((one) => one.server_id === server_id && one.name === name)
  return every.filter((tool) => isBound(entries, tool) && !isNamed(tool))
}
