import {
  type Bubblewrap,
  findBubblewrap,
  type ProcessLimits,
  type SandboxOptions,
} from '@dataagent/guard'
import { platformTenant, type RegisteredServer } from '@dataagent/hub'
import { parseDatabaseUrl } from '@dataagent/store/sql'
import { type Config, databaseUrl } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import type { TemplateBook } from '../templates/index.ts'
import { toWritable } from './writable-folders.ts'

export interface SandboxRuleOptions {
  config: Config
  templates: Pick<TemplateBook, 'networkOf'>
  log: Pick<Logger, 'warn'>
  /** Whether it is of a file of who runs this process, as good as an administrator's. */
  isOfFile?: (server: RegisteredServer) => boolean
  /** Looks whether there is a sandbox here. */
  find?: () => Promise<Bubblewrap>
}

const gibibyte = 1024 ** 3
/** Of what users bring: many of them share the machine. */
const userLimits: ProcessLimits = { memoryBytes: 2 * gibibyte, openFiles: 4_096, processes: 256 }
/** Of what administrators chose: against what has gone astray. */
const adminLimits: ProcessLimits = { memoryBytes: 8 * gibibyte, processes: 1_024 }

/**
 * In what a server over stdio runs. What a user added runs apart from the host, where the machine
 * can do that; with several tenants all that is a tenant's does, or it is not started. What an
 * administrator added sees the host's files, apart from this server's own.
 */
export function createSandboxRule(options: SandboxRuleOptions) {
  const { config, templates, log, find = () => findBubblewrap() } = options
  const { isOfFile = () => false } = options
  const hide = ownPaths(config)
  let isTold = false

  /** Where there is no sandbox to be had, which is told once. */
  async function tellWhereMissing(): Promise<void> {
    const found = await find()
    if (found.status === 'ready' || isTold) return
    isTold = true
    if (found.status === 'missing') log.warn({ reason: 'bubblewrap is not installed' }, toInstall)
    else log.warn({ reason: found.reason }, toAllow)
  }

  return (server: RegisteredServer): SandboxOptions | undefined => {
    const { tenant_id, user_id, config: asked } = server
    if (asked.transport !== 'stdio') return undefined
    const network = templates.networkOf(asked)
    const isOperators = isOfFile(server)
    if (config.multi_tenant && tenant_id !== platformTenant && !isOperators) {
      return { mode: 'required', network: network ?? false, limits: userLimits }
    }
    const isAdmins = user_id === null || isOperators
    if (isAdmins && config.stdio_sandbox === 'off') return undefined
    void tellWhereMissing()
    // Of no template are the commands of administrators alone.
    if (!isAdmins) return { mode: 'preferred', network: network ?? true, limits: userLimits }
    const write = toWritable(asked)
    return { mode: 'preferred', network: true, files: 'host', hide, write, limits: adminLimits }
  }
}

const toInstall = 'MCP servers over stdio run unsandboxed: install bubblewrap to confine them'
const toAllow =
  'MCP servers over stdio run unsandboxed: bubblewrap is here, but this machine or container does not let it make namespaces'

/** Where this server keeps what is nobody else's to read. */
function ownPaths(config: Config): string[] {
  const target = parseDatabaseUrl(databaseUrl(config))
  const database = target.kind === 'sqlite' && target.path !== ':memory:' ? target.path : undefined
  const { data_dir, config_file, master_key_file, tls_key } = config
  const journals = database === undefined ? [] : [`${database}-wal`, `${database}-shm`]
  return [data_dir, config_file, master_key_file, tls_key, database, ...journals].filter(
    (path) => path !== undefined,
  )
}
