import { createHmac } from 'node:crypto'
import {
  AppError,
  isAppError,
  parseAs,
  readJson,
  type ServerConfig,
  serverConfigSchema,
} from '@dataagent/schema'
import { toCanonicalJson } from '../canonical-json.ts'
import type { SecretBinding, Vault } from '../vault-port.ts'
import type { CredentialInput, CredentialRow, RegisteredServer } from './contract.ts'
import { originOf } from './edition-id.ts'
import { hasAny, reveal, type SecretRecord, wrap } from './stored-server.ts'

/** A user's credentials, sealed for their one place. */
export function sealCredential(
  vault: Vault,
  ref: Pick<CredentialRow, 'tenant_id' | 'server_id' | 'user_id'>,
  { env = {}, headers = {} }: CredentialInput,
): Promise<string> {
  return vault.seal(JSON.stringify({ env, headers }), bindingOf(ref))
}

/** The configuration that the user's calls go out with; undefined where it cannot be opened. */
export async function withCredential(
  vault: Vault,
  config: ServerConfig,
  row: CredentialRow,
): Promise<ServerConfig | undefined> {
  try {
    const { env, headers } = readJson(await vault.open(row.secrets, bindingOf(row))) as {
      env: unknown
      headers: unknown
    }
    return mergeCredential(config, { env: wrap(env), headers: wrap(headers) })
  } catch (error) {
    if (isAppError(error, 'secret_unreadable')) return undefined
    throw error
  }
}

/**
 * Refuses what the server's administrator did not leave open. A free choice of variables would be
 * a way to start anything: `NODE_OPTIONS`, `LD_PRELOAD`, `PATH`.
 */
export function assertCredential(server: RegisteredServer, input: CredentialInput): void {
  const { config } = server
  const { env = {}, headers = {} } = input
  const given = config.transport === 'stdio' ? headers : env
  if (hasAny(given)) {
    const expected = config.transport === 'stdio' ? 'env' : 'headers'
    throw invalid(`this server takes its credentials as ${expected}`)
  }
  if (!hasAny({ ...env, ...headers })) throw invalid('there is nothing to keep')
  const undeclared = [
    ...Object.keys(env).filter((name) => !declaresVariable(config, name)),
    ...Object.keys(headers).filter((name) => !declaresHeader(config, name)),
  ]
  if (undeclared.length > 0) {
    throw invalid(
      `this server has no place for ${undeclared.join(', ')}: its administrator names, in its configuration, what users may set`,
    )
  }
  const probe = { ...way(config), name: config.name, ...(hasAny(env) ? { env } : { headers }) }
  parseAs(serverConfigSchema, probe, 'credential')
}

function way(config: ServerConfig) {
  return config.transport === 'stdio'
    ? { command: config.command }
    : { url: config.url, transport: config.transport }
}

function declaresVariable(config: ServerConfig, name: string): boolean {
  return config.transport === 'stdio' && Object.hasOwn(config.env, name)
}

/** Header names are the same in any case; RFC 9110 section 5.1. */
function declaresHeader(config: ServerConfig, name: string): boolean {
  if (config.transport === 'stdio') return false
  const declared = ['authorization', ...Object.keys(config.headers).map(toLower)]
  return declared.includes(toLower(name))
}

function mergeCredential(
  config: ServerConfig,
  { env, headers }: { env: SecretRecord; headers: SecretRecord },
): ServerConfig {
  if (config.transport === 'stdio') {
    const own = Object.entries(env).filter(([name]) => declaresVariable(config, name))
    return { ...config, env: { ...config.env, ...Object.fromEntries(own) } }
  }
  const own = Object.entries(headers).filter(([name]) => declaresHeader(config, name))
  const replaced = new Set(own.map(([name]) => toLower(name)))
  const kept = Object.entries(config.headers).filter(([name]) => !replaced.has(toLower(name)))
  return { ...config, headers: Object.fromEntries([...kept, ...own]) }
}

/**
 * Keys for connections, which tell nothing of what they were made from. The same in every process
 * that has the same `key`.
 */
export function createCredentialKeys(
  key: Uint8Array,
): (server: RegisteredServer, config: ServerConfig) => string {
  return ({ tenant_id, server_id, user_id }, config) => {
    const wayOut = [tenant_id, originOf(server_id), user_id, toWayOut(config)]
    return createHmac('sha256', key).update(toCanonicalJson(wayOut)).digest('base64url')
  }
}

function toWayOut(config: ServerConfig) {
  if (config.transport === 'stdio') {
    const { command, args, cwd } = config
    return { command, args, cwd, env: reveal(config.env) }
  }
  const { transport, url, proxy } = config
  return { transport, url, headers: reveal(config.headers), proxy: proxy?.reveal() }
}

function bindingOf(ref: Pick<CredentialRow, 'tenant_id' | 'server_id' | 'user_id'>): SecretBinding {
  const row = `${ref.server_id}/${ref.user_id}`
  return { tenant: ref.tenant_id, table: 'mcp_credentials', row, column: 'secrets' }
}

function toLower(text: string): string {
  return text.toLowerCase()
}

function invalid(message: string): AppError {
  return new AppError('invalid_request', message)
}
