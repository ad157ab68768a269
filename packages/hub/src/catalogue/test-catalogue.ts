import { randomUUID } from 'node:crypto'
import { type ServerConfigInput, serverConfigSchema } from '@dataagent/schema'
import { openSql } from '@dataagent/store/sql'
import { createFakeClock } from '@dataagent/testkit'
import type { Principal } from '../principal.ts'
import type { RegisteredServer, ServerChange, Servers } from '../servers/index.ts'
import type { SchemaJudgement } from '../validation/index.ts'
import { createCatalogue } from './catalogue.ts'
import type { CatalogueChange, ToolRows } from './contract.ts'

export interface ServerList extends Pick<Servers, 'get' | 'all' | 'editions' | 'onChange'> {
  set(server: RegisteredServer): void
  remove(server: RegisteredServer): void
}

/** A list of servers that tests change by hand. */
export function createServerList(...initial: RegisteredServer[]): ServerList {
  const list = new Map<string, RegisteredServer>()
  const handlers = new Set<(change: ServerChange) => void>()
  const keyOf = ({ tenant_id, server_id }: RegisteredServer) => `${tenant_id}/${server_id}`
  const tell = (change: ServerChange) => {
    for (const handler of handlers) handler(change)
  }
  for (const server of initial) list.set(keyOf(server), server)
  return {
    get: (tenant_id, server_id) => list.get(`${tenant_id}/${server_id}`),
    all: () => [...list.values()],
    editions: () => [],
    onChange(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
    set(server) {
      list.set(keyOf(server), server)
      tell({ kind: 'set', server })
    },
    remove(server) {
      list.delete(keyOf(server))
      tell({ kind: 'removed', tenant_id: server.tenant_id, server_id: server.server_id })
    },
  }
}

let created = 0

type ServerFields = Partial<Omit<RegisteredServer, 'config'>> & {
  config?: Partial<ServerConfigInput>
}

/** A server of a tenant of its own, unless the test says otherwise. */
export function aServer({ config, ...fields }: ServerFields = {}): RegisteredServer {
  created += 1
  return {
    tenant_id: randomUUID(),
    server_id: `server-${created}`,
    user_id: null,
    config: serverConfigSchema.parse({
      name: fields.server_id ?? `server-${created}`,
      url: 'https://mcp.example/mcp',
      ...config,
    }),
    revision: 1,
    created_at: created,
    updated_at: created,
    ...fields,
  }
}

/** A tool as a server gives it. */
export function aTool(name: string, fields: Record<string, unknown> = {}) {
  const properties = { id: { type: 'string', description: 'Which one' } }
  const inputSchema = { type: 'object', properties, required: ['id'] }
  return { name, description: `Does ${name.replaceAll('_', ' ')}.`, inputSchema, ...fields }
}

export function anAdmin({ tenant_id }: { tenant_id: string }): Principal {
  return { tenant_id, user_id: 'ana', role: 'admin' }
}

export interface RigOptions {
  rows: ToolRows
  servers: ServerList
  judgeSchema?: () => SchemaJudgement
  toolsMax?: number
}

/** A catalogue with all that it tells. */
export function createRig({ rows, servers, judgeSchema, toolsMax }: RigOptions) {
  const clock = createFakeClock()
  const published: string[] = []
  const changes: CatalogueChange[] = []
  const refused: string[] = []
  const catalogue = createCatalogue({
    rows,
    servers,
    clock,
    toolsMax,
    onRefused: ({ server_id }) => refused.push(server_id),
    judgeSchema: judgeSchema ?? (() => ({ status: 'plain' })),
    publish: (tenant_id) => void published.push(tenant_id),
  })
  catalogue.onChange((change) => changes.push(change))
  const offer = (server: RegisteredServer, ...tools: unknown[]) =>
    catalogue.observe(server, { status: 'offers', tools })
  const offeredBy = ({ tenant_id, server_id }: RegisteredServer) =>
    catalogue
      .ofServer(tenant_id, server_id)
      .filter((entry) => entry.offer.status === 'offered')
      .map((entry) => entry.tool.name)
  return { catalogue, clock, published, changes, refused, offer, offeredBy }
}

/** An empty SQLite database, in memory unless a file is named. */
export async function openRows(path = ':memory:') {
  const store = openSql({ url: `sqlite:${path}` })
  await store.migrate()
  const { tools: rows, servers } = store.hub
  /** What the registry does to the rows of a server. */
  async function removeServer({ tenant_id, server_id }: RegisteredServer): Promise<void> {
    const times = { created_at: 1, updated_at: 1, created_by: null }
    const columns = { owner: '', name: server_id, config: '{}', secrets: null, ...times }
    await servers.insert({ tenant_id, server_id, ...columns })
    await servers.delete({ tenant_id, server_id })
  }
  return { rows, removeServer, [Symbol.asyncDispose]: () => store.close() }
}
