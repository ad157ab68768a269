import {
  AppError,
  type FieldError,
  type Secret,
  type SecretView,
  type ServerConfig,
  type ServerUpdate,
} from '@dataagent/schema'
import type { RegisteredServer } from './contract.ts'
import { type SecretRecord, withDescription } from './stored-server.ts'

type Sent = Record<string, Secret | SecretView>

/**
 * The configuration after a change. A secret whose view is sent back stays; throws
 * `invalid_request` where nothing is stored that could stay, and where the server is another one by
 * now: who may move a server may not so read the credentials that were meant for it.
 */
export function applyUpdate(server: RegisteredServer, update: ServerUpdate): ServerConfig {
  const { config: stored } = server
  const missing: string[] = []
  const isMoved = goesElsewhere(stored, update)
  const keep = (path: string, sent: Secret | SecretView, held: Secret | undefined): Secret => {
    if ('reveal' in sent) return sent
    if (held !== undefined && server.broken === undefined && !isMoved) return held
    missing.push(path)
    return nothing
  }
  const keepAll = (field: string, sent: Sent, held: SecretRecord): SecretRecord =>
    Object.fromEntries(
      Object.entries(sent).map(([key, value]) => {
        const known = Object.hasOwn(held, key) ? held[key] : undefined
        return [key, keep(`${field}.${key}`, value, known)]
      }),
    )

  const name = update.name ?? stored.name
  const config = withName(withSecrets(update), name, stored)
  if (missing.length > 0) throw notStored(missing)
  return config

  function withSecrets(sent: ServerUpdate): Omit<ServerConfig, 'name'> {
    if (sent.transport === 'stdio') {
      const held = stored.transport === 'stdio' ? stored.env : {}
      return { ...sent, env: keepAll('env', sent.env, held) } as Omit<ServerConfig, 'name'>
    }
    const held = stored.transport === 'stdio' ? undefined : stored
    const { proxy, ...rest } = sent
    const headers = keepAll('headers', sent.headers, held?.headers ?? {})
    return {
      ...{ ...rest, headers },
      ...(proxy && { proxy: keep('proxy', proxy, held?.proxy) }),
    } as Omit<ServerConfig, 'name'>
  }
}

/** Whether what is sent to the server would reach another program or another host. */
export function goesElsewhere(stored: ServerConfig, update: ServerUpdate | ServerConfig): boolean {
  if (stored.transport === 'stdio' || update.transport === 'stdio') {
    if (stored.transport !== 'stdio' || update.transport !== 'stdio') return true
    const toText = ({ command, args, cwd }: typeof stored) => JSON.stringify([command, args, cwd])
    return toText(stored) !== JSON.stringify([update.command, update.args, update.cwd])
  }
  return new URL(stored.url).origin !== new URL(update.url).origin
}

const nothing: Secret = { reveal: () => '', toString: () => '***', toJSON: () => '***' }

/** A description that was only the old name follows the new one. */
function withName(
  config: Omit<ServerConfig, 'name'>,
  name: string,
  stored: ServerConfig,
): ServerConfig {
  const { description, ...rest } = config
  const isDefault = description === undefined || description === stored.name
  return withDescription({ ...rest, name, ...(!isDefault && { description }) } as ServerConfig)
}

function notStored(paths: string[]): AppError {
  const errors: FieldError[] = paths.map((path) => ({
    ...{ path, expected: 'a value, as none is stored for this place', got: 'a view of one' },
  }))
  const message = `no value is stored for ${paths.join(', ')} at this place: give it again`
  return new AppError('invalid_request', message, { data: { errors } })
}
