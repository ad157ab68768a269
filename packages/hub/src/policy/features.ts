import { originOf, type RegisteredServer } from '../servers/index.ts'

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

type NamedServer = Pick<RegisteredServer, 'server_id' | 'user_id'> & {
  config: Pick<RegisteredServer['config'], 'name'>
}

/**
 * The feature that keeps a tool from the tenant, or undefined. `-name` wins over all; else `*` or
 * one of the tool's names must be on. A tenant with no feature has none. Without a server it is a
 * tool of our own. A shared server is switched on by its name; a user's own by its id, for its name
 * is the user's to choose. By its name either is switched off.
 */
export function featureOff(
  { names, isAllOn }: Features,
  { server, tool }: { server: NamedServer | undefined; tool: string },
): string | undefined {
  if (isAllOn) return undefined
  const { on, off } = server ? toServerNames(server, tool) : toOwnNames(tool)
  const switchedOff = ['*', ...off].find((name) => names.has(`-${name}`))
  if (switchedOff !== undefined) return switchedOff
  if (names.has('*') || on.some((name) => names.has(name))) return undefined
  return on[0]
}

function toOwnNames(tool: string) {
  const on = ['tools', `tool:${tool}`]
  return { on, off: on }
}

function toServerNames({ server_id, user_id, config }: NamedServer, tool: string) {
  const namesOf = (server: string) => [`mcp:${server}`, `mcp:${server}/${tool}`]
  const on = ['mcp', ...namesOf(user_id === null ? config.name : originOf(server_id))]
  return { on, off: user_id === null ? on : [...on, ...namesOf(config.name)] }
}
