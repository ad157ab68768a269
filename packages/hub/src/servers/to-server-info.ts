import {
  parseAs,
  type ServerFault,
  type ServerInfo,
  type ServerStatus,
  serverInfoSchema,
  toSecretView,
} from '@dataagent/schema'
import type { RegisteredServer } from './contract.ts'
import { scopeOf } from './server-rights.ts'
import { mapValues } from './stored-server.ts'

/** How a server fares, as far as an answer tells it. */
export interface ServerState {
  status: ServerStatus
  /** Why it is not running, in words for its owner; without secrets. */
  message?: string | undefined
  fault?: ServerFault | undefined
  tool_count?: number | undefined
}

/** A server as an answer shows it: every secret only as set. */
export function toServerInfo(server: RegisteredServer, state?: ServerState): ServerInfo {
  const { config, server_id, user_id, created_at, updated_at } = server
  const scope = scopeOf(server)
  const { status, message, fault, tool_count = 0 } = toState(server, state)
  const info = {
    ...config,
    ...toViews(config),
    ...{ server_id, scope, user_id, created_at, updated_at, status, tool_count },
    ...(message !== undefined && { status_message: message }),
    ...(fault !== undefined && { status_fault: fault }),
  }
  return parseAs(serverInfoSchema, info, 'server')
}

function toState({ broken, config }: RegisteredServer, state?: ServerState): ServerState {
  if (broken !== undefined) return { status: 'error', message: broken }
  if (config.disabled) return { ...state, status: 'stopped' }
  return state ?? { status: 'stopped' }
}

function toViews(config: RegisteredServer['config']) {
  if (config.transport === 'stdio') return { env: mapValues(config.env, toSecretView) }
  const headers = mapValues(config.headers, toSecretView)
  return config.proxy ? { headers, proxy: toSecretView(config.proxy) } : { headers }
}
