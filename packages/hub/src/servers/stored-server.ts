import {
  createSecret,
  isAppError,
  isPlainObject,
  parseAs,
  readJson,
  type Secret,
  type ServerConfig,
  serverConfigSchema,
} from '@dataagent/schema'
import type { SecretBinding, Vault } from '../vault-port.ts'
import type { Edition, EditionRow, RegisteredServer, ServerRow } from './contract.ts'
import { originOf } from './edition-id.ts'

export type SecretRecord = Record<string, Secret>

/** Stands in the stored configuration for a proxy, which is sealed with the other secrets. */
const sealedProxy = 'http://sealed.invalid'

const unreadable = 'its stored secrets cannot be opened: set them again'
const unknownForm = 'its stored configuration cannot be read: set it again, or remove the server'

type Ref = Pick<ServerRow, 'tenant_id' | 'server_id'>

/** The two columns of a configuration: without its secrets, and those as one envelope. */
export async function toColumns(
  vault: Vault,
  ref: Ref,
  config: ServerConfig,
): Promise<Pick<ServerRow, 'name' | 'config' | 'secrets'>> {
  const { description, ...fields } = config
  const stored = description === config.name ? fields : config
  const secrets = revealSecrets(config)
  return {
    name: config.name,
    config: JSON.stringify({ ...stored, ...emptied(config) }),
    secrets: secrets && (await vault.seal(JSON.stringify(secrets), bindingOf(ref))),
  }
}

/**
 * A stored server with its secrets opened; `broken` where they cannot be. Rejects where the vault
 * is away.
 */
export async function fromRow(vault: Vault, row: ServerRow): Promise<RegisteredServer> {
  return toRegistered(row, await openConfig(vault, row))
}

export async function fromEditionRow(vault: Vault, row: EditionRow): Promise<Edition> {
  const { superseded_by } = row
  return Object.freeze({ ...(await fromRow(vault, row)), superseded_by })
}

export function toRegistered(row: ServerRow, opened: OpenedConfig): RegisteredServer {
  const { tenant_id, server_id, owner, revision, created_at, updated_at, created_by } = row
  const user_id = owner === '' ? null : owner
  const ref = { tenant_id, server_id, user_id, revision, created_at, updated_at, created_by }
  return Object.freeze({ ...ref, ...opened })
}

type OpenedConfig = Pick<RegisteredServer, 'config' | 'broken'>

async function openConfig(vault: Vault, row: ServerRow): Promise<OpenedConfig> {
  const stored = parseStored(row.config)
  if (!stored) return { config: toUnusable(row.name), broken: unknownForm }
  if (row.secrets === null) return { config: stored }
  try {
    const secrets = readJson(await vault.open(row.secrets, bindingOf(row)))
    return { config: withSecrets(stored, secrets as RevealedSecrets) }
  } catch (error) {
    if (!isAppError(error, 'secret_unreadable')) throw error
    return { config: stored, broken: unreadable }
  }
}

function parseStored(text: string): ServerConfig | undefined {
  try {
    return withDescription(parseAs(serverConfigSchema, readJson(text), 'stored configuration'))
  } catch {
    return undefined
  }
}

/** What a server is described by where nobody has described it is its name. */
export function withDescription<C extends ServerConfig>(config: C): C {
  return { ...config, description: config.description || config.name }
}

function toUnusable(name: string): ServerConfig {
  const placeholder = { name, url: 'http://unreadable.invalid', disabled: true }
  return withDescription(parseAs(serverConfigSchema, placeholder, 'placeholder'))
}

interface RevealedSecrets {
  env?: Record<string, string>
  headers?: Record<string, string>
  proxy?: string
}

function revealSecrets(config: ServerConfig): RevealedSecrets | null {
  if (config.transport === 'stdio') return hasAny(config.env) ? { env: reveal(config.env) } : null
  const { headers, proxy } = config
  if (!hasAny(headers) && proxy === undefined) return null
  return { headers: reveal(headers), ...(proxy && { proxy: proxy.reveal() }) }
}

/** Which secrets there are, without their values. */
function emptied(config: ServerConfig): RevealedSecrets {
  if (config.transport === 'stdio') return { env: empty(config.env) }
  return { headers: empty(config.headers), ...(config.proxy && { proxy: sealedProxy }) }
}

function withSecrets(config: ServerConfig, secrets: RevealedSecrets): ServerConfig {
  if (config.transport === 'stdio') return { ...config, env: wrap(secrets.env) }
  const { proxy, ...rest } = config
  const headers = wrap(secrets.headers)
  if (secrets.proxy === undefined) return { ...rest, headers }
  return { ...rest, headers, proxy: createSecret(secrets.proxy) }
}

function bindingOf({ tenant_id, server_id }: Ref): SecretBinding {
  // An edition has the envelope of the server that it was.
  return { tenant: tenant_id, table: 'mcp_servers', row: originOf(server_id), column: 'secrets' }
}

export function reveal(secrets: SecretRecord): Record<string, string> {
  return mapValues(secrets, (secret) => secret.reveal())
}

export function wrap(values: unknown): SecretRecord {
  return isPlainObject(values) ? mapValues(values, (value) => createSecret(String(value))) : {}
}

function empty(secrets: SecretRecord): Record<string, string> {
  return mapValues(secrets, () => '')
}

export function hasAny(record: object): boolean {
  return Object.keys(record).length > 0
}

export function mapValues<A, B>(
  record: Readonly<Record<string, A>>,
  map: (value: A) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
