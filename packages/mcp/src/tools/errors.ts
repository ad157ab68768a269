import { McpError } from '../errors.ts'

const hintsMax = 3

/**
 * Nothing is known by that name: `mcp: server "x" not found`. `meant` are names that may have been
 * meant.
 */
export function notFoundError(
  what: 'server' | 'tool',
  name: string,
  meant: readonly string[] = [],
): McpError {
  const hints = meant.slice(0, hintsMax).map((hint) => `"${hint}"`)
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(hints)
  const hint = hints.length === 0 ? '' : `, did you mean ${list}?`
  const message = `mcp: ${what} "${name}" not found${hint}`
  return new McpError({ kind: 'not_found', code: 'not_found', message, data: { [what]: name } })
}

/** A name is held by someone else. */
export function conflictError(message: string, data: Record<string, unknown>): McpError {
  return new McpError({ kind: 'conflict', code: 'conflict', message: `mcp: ${message}`, data })
}
