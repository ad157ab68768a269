import {
  createSecret,
  parseAs,
  type ServerConfigInput,
  serverConfigSchema,
} from '@dataagent/schema'
import { sha256 } from '../canonical-json.ts'
import type { RegisteredServer, ServerChange, Servers } from '../servers/index.ts'

type Used = Pick<Servers, 'all' | 'editions' | 'get' | 'resolveFor' | 'onChange'>

/** The servers of a test, in memory, as the registry would give them. */
export interface TestServers extends Used {
  set(server_id: string, config: ServerConfigInput, owner?: Owner): RegisteredServer
  remove(server_id: string, tenant_id?: string): void
  /** The user's own headers or environment. */
  setCredential(server_id: string, user_id: string, secret: string): void
}

interface Owner {
  tenant_id?: string
  user_id?: string | null
}

export function createTestServers(): TestServers {
  const servers = new Map<string, RegisteredServer>()
  const credentials = new Map<string, string>()
  const handlers = new Set<(change: ServerChange) => void>()
  let revision = 0

  function tell(change: ServerChange): void {
    for (const handler of handlers) handler(change)
  }

  return {
    all: () => [...servers.values()],
    editions: () => [],
    get: (tenant_id, server_id) => servers.get(`${tenant_id}/${server_id}`),
    async resolveFor(server, user_id) {
      const { config, server_id } = server
      if (server.broken) return { status: 'broken', message: server.broken }
      const secrets = config.transport === 'stdio' ? config.env : config.headers
      const shared = Object.entries(secrets).map(([key, value]) => [key, value.reveal()])
      const own = credentials.get(`${server_id}/${user_id}`)
      if (config.credentials === 'user' && own === undefined) return { status: 'needs_credential' }
      const given = config.credentials === 'user' ? own : ''
      const credential_key = sha256(JSON.stringify([shared, given]))
      return { status: 'ok', config: withCredential(config, own), credential_key }
    },
    onChange(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
    set(server_id, input, { tenant_id = 'acme', user_id = null } = {}) {
      const config = parseAs(serverConfigSchema, input, 'server')
      revision += 1
      const stamps = { revision, created_at: 1, updated_at: revision }
      const server = { tenant_id, server_id, user_id, config, ...stamps }
      servers.set(`${tenant_id}/${server_id}`, server)
      tell({ kind: 'set', server })
      return server
    },
    remove(server_id, tenant_id = 'acme') {
      servers.delete(`${tenant_id}/${server_id}`)
      tell({ kind: 'removed', tenant_id, server_id })
    },
    setCredential(server_id, user_id, secret) {
      credentials.set(`${server_id}/${user_id}`, secret)
      tell({ kind: 'credential', tenant_id: 'acme', server_id, user_id })
    },
  }
}

type Config = RegisteredServer['config']

function withCredential(config: Config, secret: string | undefined): Config {
  if (secret === undefined) return config
  if (config.transport === 'stdio') return { ...config, env: { OWN: createSecret(secret) } }
  return { ...config, headers: { 'x-own': createSecret(secret) } }
}
