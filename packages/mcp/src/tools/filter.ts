import type { ToolSelection } from './contract.ts'
import { compilePattern } from './pattern.ts'

/** Whether the whole of a server's own tool name matches; an invalid pattern matches nothing. */
export function matchToolFilter(pattern: string, name: string): boolean {
  return compilePattern(pattern)(name)
}

/** Whether a tool may be used: no blocked pattern matches; an allowed one does, or none is set. */
export function isToolAllowed(name: string, selection: ToolSelection): boolean {
  return createToolFilter(selection)(name)
}

/** As `isToolAllowed`, for many names. */
export function createToolFilter(selection: ToolSelection): (name: string) => boolean {
  const { allowedTools = [], blockedTools = [] } = selection
  const isBlocked = matchesAny(blockedTools)
  const isListed = allowedTools.length === 0 ? () => true : matchesAny(allowedTools)
  return (name) => !isBlocked(name) && isListed(name)
}

/** Whether one of `patterns` matches. */
export function matchesAny(patterns: readonly string[]): (name: string) => boolean {
  const matchers = patterns.map(compilePattern)
  return (name) => matchers.some((matches) => matches(name))
}
