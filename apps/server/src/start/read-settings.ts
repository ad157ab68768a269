import { loadConfig, secretVariables } from '../config/index.ts'

export interface StartOptions {
  argv: readonly string[]
  /** The process's own: secrets are taken out of it, so that no child inherits them. */
  env: NodeJS.ProcessEnv
}

/**
 * The settings, and the environment as it was: the first thing that a process does. `reload` reads
 * the settings as the next start would.
 */
export function readSettings({ argv, env }: StartOptions) {
  // Whatever we make (databases, keys, workspaces) is for this user alone.
  process.umask(0o077)
  const given = { ...env }
  for (const name of secretVariables) delete env[name]
  const load = () => loadConfig({ argv, env: given })
  return { given, loaded: load(), reload: load }
}
