import { serverConfigSchema, type ToolAnnotations } from '@dataagent/schema'
import { createFakeClock } from '@dataagent/testkit'
import type { Catalogue, CatalogueEntry, Offer, ToolState } from '../catalogue/index.ts'
import { type OwnTool, ownServerId } from '../define-tool/index.ts'
import type { Principal } from '../principal.ts'
import { platformTenant, type RegisteredServer, type Servers } from '../servers/index.ts'
import { toToolKey } from '../tool-ref.ts'
import { createPolicy, type PolicyOptions } from './policy.ts'
import { createTestPolicyRows } from './test-policy-rows.ts'

export interface TestServer {
  tenant_id?: string
  server_id: string
  user_id?: string | null
  name?: string
  alias?: string
  settings?: Partial<Pick<RegisteredServer['config'], 'approval' | 'toolApproval'>>
}

export interface TestTool {
  annotations?: ToolAnnotations
  offer?: Offer
  state?: ToolState
  own?: Partial<OwnTool>
}

export const ana: Principal = { tenant_id: 't1', user_id: 'ana', role: 'user' }
export const admin: Principal = { tenant_id: 't1', user_id: 'adam', role: 'admin' }
export const platformAdmin: Principal = { tenant_id: 't1', user_id: 'root', role: 'platform_admin' }
export const agentA: Principal = { ...ana, agent_id: 'a' }
export const everything = [{ server_id: '*', tool: '*' }]

/** Servers, tools and a policy over them, in memory: what policy tests stand on. */
export function createTestWorld(options: Partial<PolicyOptions> = {}) {
  const clock = createFakeClock()
  const servers = createTestServers()
  const catalogue = createTestCatalogue(servers.get)
  const tenants = new Map<string, string[]>()
  const told = { unconfirmedMs: 0, published: [] as string[] }
  const rows = createTestPolicyRows()
  const policy = createPolicy({
    ...{ rows, servers, catalogue, clock },
    features: { featuresOf: (tenant_id) => tenants.get(tenant_id) ?? ['*'] },
    publish: async (tenant_id) => void told.published.push(tenant_id),
    unconfirmedMs: () => told.unconfirmedMs,
    ...options,
  })
  return { clock, servers, catalogue, tenants, told, rows, policy }
}

function createTestServers() {
  const byKey = new Map<string, RegisteredServer>()
  const lists = new Map<string, RegisteredServer[]>()
  const all = () => [...byKey.values()]
  let revision = 0

  return {
    get: (tenant_id: string, server_id: string) => byKey.get(`${tenant_id} ${server_id}`),
    /** As the registry gives them: of servers with one name, a user's own stands for all. */
    visibleTo({ tenant_id, user_id }: Pick<Principal, 'tenant_id' | 'user_id'>) {
      const key = `${tenant_id} ${user_id}`
      const known = lists.get(key)
      if (known) return known
      const tiers = [platformTenant, tenant_id].flatMap((tenant) =>
        all().filter((server) => server.tenant_id === tenant && server.user_id === null),
      )
      const own = all().filter((server) => server.user_id === user_id && user_id !== null)
      const ofTenant = own.filter((server) => server.tenant_id === tenant_id)
      const named = [...tiers, ...ofTenant].map((server) => [server.config.name, server] as const)
      const list = [...new Map(named).values()]
      lists.set(key, list)
      return list
    },
    add(server: TestServer): RegisteredServer {
      const { tenant_id = 't1', server_id, user_id = null, name = server_id, alias } = server
      const fields = { name, url: 'https://mcp.example', ...(alias && { alias }) }
      const config = serverConfigSchema.parse({ ...fields, ...server.settings })
      lists.clear()
      revision += 1
      const times = { revision, created_at: 1, updated_at: 1 }
      const added = { tenant_id, server_id, user_id, config, ...times }
      byKey.set(`${tenant_id} ${server_id}`, added)
      return added
    },
  } satisfies Pick<Servers, 'get' | 'visibleTo'> & Record<string, unknown>
}

function createTestCatalogue(getServer: Servers['get']) {
  const byServer = new Map<string, CatalogueEntry[]>()
  const byName = new Map<string, CatalogueEntry[]>()
  const state = { revision: 0 }
  const get: Catalogue['get'] = (tenant_id, { server_id, name }) =>
    byServer.get(`${tenant_id} ${server_id}`)?.find(({ tool }) => tool.name === name)

  function add(server: { tenant_id: string; server_id: string }, name: string, tool?: TestTool) {
    const entry = anEntry(server, name, { ...tool, config: configOf(server) })
    const key = `${server.tenant_id} ${server.server_id}`
    byServer.set(key, [...(byServer.get(key) ?? []), entry])
    for (const each of namesOf(entry, configOf(server))) {
      const named = `${server.tenant_id} ${each}`
      byName.set(named, [...(byName.get(named) ?? []), entry])
    }
    state.revision += 1
    return entry
  }
  const configOf = (server: { tenant_id: string; server_id: string }) =>
    getServer(server.tenant_id, server.server_id)?.config

  return {
    get revision() {
      return state.revision
    },
    get,
    ofServer: (tenant_id, server_id) => byServer.get(`${tenant_id} ${server_id}`) ?? [],
    named: (tenant_id, name) =>
      [tenant_id, platformTenant].flatMap((tenant) => byName.get(`${tenant} ${name}`) ?? []),
    add,
    addOwn: (name: string, own: Partial<OwnTool> = {}) =>
      add({ tenant_id: platformTenant, server_id: ownServerId }, name, { own }),
  } satisfies Pick<Catalogue, 'get' | 'ofServer' | 'named' | 'revision'> & Record<string, unknown>
}

function anEntry(
  { tenant_id, server_id }: { tenant_id: string; server_id: string },
  name: string,
  tool: TestTool & { config: RegisteredServer['config'] | undefined },
): CatalogueEntry {
  const { annotations = {}, offer = { status: 'offered' }, state = 'active', own, config } = tool
  const server = config?.alias ?? config?.name ?? server_id
  const definition = { name, description: '', inputSchema: {}, annotations }
  const stand = { state, version: 1, hash: 'h', findings: [], position: 0 }
  return {
    tool: { tenant_id, server_id, name, ...stand, definition, created_at: 1, seen_at: 1 },
    ...(own && { own: { approval: 'allow', annotations: {}, ...own } as OwnTool }),
    offer,
    sdk_name: `${server}.${name}`,
    wire_name: `mcp_${server}_${name}`.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64),
  }
}

function namesOf(entry: CatalogueEntry, config: RegisteredServer['config'] | undefined) {
  const { tool, sdk_name, wire_name } = entry
  const server = config?.name ?? tool.server_id
  const full = [`${server}.${tool.name}`, `mcp.${server}.${tool.name}`]
  return new Set([tool.name, sdk_name, wire_name, toToolKey(tool), ...full])
}
