import { type Scope, scopes } from '../tokens/index.ts'

/**
 * The scopes of ours that a text names, in our order; all where it is left out, and undefined where
 * it names others alone. Whoever may call may also list.
 */
export function parseScopes(text: string | undefined): readonly Scope[] | undefined {
  if (text === undefined) return scopes
  const named = new Set(text.split(' '))
  if (named.has('mcp:call')) return scopes
  return named.has('mcp:read') ? ['mcp:read'] : undefined
}
