import { McpError } from '../errors.ts'

/** Nothing is known by that name: `mcp: server "x" not found`. */
export function notFoundError(what: 'server' | 'tool', name: string): McpError {
  const message = `mcp: ${what} "${name}" not found`
  return new McpError({ kind: 'not_found', code: 'not_found', message, data: { [what]: name } })
}

/** A name is held by someone else. */
export function conflictError(message: string, data: Record<string, unknown>): McpError {
  return new McpError({ kind: 'conflict', code: 'conflict', message: `mcp: ${message}`, data })
}
