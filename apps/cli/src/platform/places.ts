import { join, resolve } from 'node:path'
import type { PlatformOptions } from './contract.ts'

type Where = Pick<PlatformOptions, 'options' | 'env' | 'home' | 'cwd'>

/** The folder that the agent works in. */
export function folderOf({ options, cwd }: Where): string {
  return resolve(cwd, options.folder ?? '.')
}

/** Where it was said that a platform of this machine keeps its data. */
export function dataDirOf({ options, env, cwd }: Where): string | undefined {
  const said = options.dataDir ?? (env.DATAAGENT_DATA_DIR || undefined)
  return said === undefined ? undefined : resolve(cwd, said)
}

/** Where a platform of the terminal's own logs. */
export function logFileOf(where: Where): string {
  return join(dataDirOf(where) ?? join(where.home, '.dataagent'), 'logs', 'terminal.log')
}

/** The platform that was named, in place of one of this machine. */
export function serverOf({ options, env }: Where): string | undefined {
  return options.server ?? (env.DATAAGENT_SERVER || undefined)
}
