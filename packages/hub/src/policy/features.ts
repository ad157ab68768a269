/** A tenant's features, ready to be asked. */
export interface Features {
  names: ReadonlySet<string>
  /** `*`, and nothing switched off. */
  isAllOn: boolean
}

export function toFeatures(list: readonly string[]): Features {
  const isAllOn = list.includes('*') && !list.some((name) => name.startsWith('-'))
  return { names: new Set(list), isAllOn }
}

/**
 * The feature that keeps a tool from the tenant, or undefined. `-name` wins over all; else `*` or
 * one of the tool's names must be on. A tenant with no feature has none. Without a server it is a
 * tool of our own.
 */
export function featureOff(
  { names, isAllOn }: Features,
  { server, tool }: { server: string | undefined; tool: string },
): string | undefined {
  if (isAllOn) return undefined
  const ofTool =
    server === undefined
      ? ['tools', `tool:${tool}`]
      : ['mcp', `mcp:${server}`, `mcp:${server}/${tool}`]
  const off = ['*', ...ofTool].find((name) => names.has(`-${name}`))
  if (off !== undefined) return off
  if (names.has('*') || ofTool.some((name) => names.has(name))) return undefined
  return ofTool[0]
}
