import type { ServerConfig } from '@dataagent/schema'
import type { RegisteredServer, ServerRow } from './contract.ts'
import type { SecretRecord } from './stored-server.ts'

type Ref = Pick<ServerRow, 'tenant_id' | 'server_id'>

/** What is noted of a server that was added. */
export function toAdded(ref: Ref, config: ServerConfig) {
  return { ...toPlace(ref), action: 'added' as const, after: toShown(config) }
}

/** What is noted of a change: also which secrets have another value now, and never the value. */
export function toChanged(server: RegisteredServer, config: ServerConfig) {
  const isSwitched = server.config.disabled !== config.disabled
  const switched = config.disabled ? ('disabled' as const) : ('enabled' as const)
  const anew = toRenewed(server.config, config)
  return {
    ...toPlace(server),
    action: isSwitched ? switched : ('changed' as const),
    before: toShown(server.config),
    after: { ...toShown(config), ...(anew.length > 0 && { sealed_anew: anew.join(', ') }) },
  }
}

export function toRemoved(server: RegisteredServer) {
  return { ...toPlace(server), action: 'removed' as const, before: toShown(server.config) }
}

function toPlace({ tenant_id, server_id }: Ref) {
  return { tenant_id, kind: 'server' as const, target: server_id }
}

/** The configuration with the names of its secrets in their place. */
function toShown(config: ServerConfig) {
  const sealed = Object.keys(toSecrets(config)).sort().join(', ')
  if (config.transport === 'stdio') {
    const { env, ...shown } = config
    return { ...shown, sealed }
  }
  const { headers, proxy, ...shown } = config
  return { ...shown, sealed }
}

function toRenewed(before: ServerConfig, after: ServerConfig): string[] {
  const held = toSecrets(before)
  const isRenewed = ([name, value]: [string, string]) =>
    Object.hasOwn(held, name) && held[name] !== value
  return Object.entries(toSecrets(after))
    .filter(isRenewed)
    .map(([name]) => name)
    .sort()
}

function toSecrets(config: ServerConfig): Record<string, string> {
  if (config.transport === 'stdio') return toNamed('env', config.env)
  const { headers, proxy } = config
  return { ...toNamed('headers', headers), ...(proxy && { proxy: proxy.reveal() }) }
}

function toNamed(field: string, secrets: SecretRecord): Record<string, string> {
  const entries = Object.entries(secrets)
  return Object.fromEntries(entries.map(([name, value]) => [`${field}.${name}`, value.reveal()]))
}
