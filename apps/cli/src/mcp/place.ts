import { join, resolve } from 'node:path'
import type { ConfigSource } from './contract.ts'
import type { Variables } from './expand.ts'

/** Where the files are, and what stands in them may refer to. */
export interface ConfigPlace {
  assistant_id: string
  folder: string
  home: string
  env: Variables
  flags: ConfigFlags
}

export interface ConfigFlags {
  /** --mcp-config, as often as it was given. */
  mcpConfigs?: readonly string[] | undefined
  /** --trust-project-mcp: for machines at which nobody can be asked. */
  trustsProjectMcp?: boolean | undefined
}

/** The file that the person's own servers are in; undefined for an id that is no folder's name. */
export function userFileOf({ home, assistant_id }: ConfigPlace): string | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/.test(assistant_id)) return undefined
  return join(home, '.deepagents', assistant_id, 'mcp.json')
}

/** The first counts least: what was given for this start stands for what is kept. */
export function sourcesOf(place: ConfigPlace): ConfigSource[] {
  const { folder, flags } = place
  const user = userFileOf(place)
  const project = ['.mcp.json', join('.deepagents', 'mcp.json')]
  return [
    ...(user === undefined ? [] : [{ kind: 'user' as const, path: user }]),
    ...project.map((path) => ({ kind: 'project' as const, path: join(folder, path) })),
    ...(flags.mcpConfigs ?? []).map((path) => ({
      kind: 'flag' as const,
      path: resolve(folder, path),
    })),
  ]
}
