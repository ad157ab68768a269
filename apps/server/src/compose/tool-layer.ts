import type { Clock, Masker } from '@dataagent/guard'
import {
  createHub,
  type FileServers,
  type Hub,
  type HubLogEntry,
  platformTenant,
  type RegisteredServer,
  type Tracer,
  type Vault,
} from '@dataagent/hub'
import type { Kv } from '@dataagent/store/kv'
import type { SqlStore } from '@dataagent/store/sql'
import type { Config } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import { switchOffUnapproved, type TemplateBook } from '../templates/index.ts'
import type { TenantBook } from '../tenants/index.ts'
import { createSandboxRule } from './stdio-sandbox.ts'
import type { WaysOut } from './ways-out.ts'

export interface ToolLayerOptions {
  config: Config
  clock: Clock
  log: Logger
  /** That of the log. */
  masker: Masker
  sql: SqlStore
  kv: Kv
  vault: Vault
  key: Uint8Array
  /** For what is not in the database yet. */
  journalDir: string
  egress: WaysOut
  tenants: TenantBook
  templates: TemplateBook
  /** Those of files on this machine, where there are any. */
  fileServers: FileServers | undefined
  reloadAgents(tenant_id?: string): Promise<void>
  reloadGroups(tenant_id?: string): Promise<void>
  /** Where browsers reach this server. */
  ownUrl(): string
  tracer: Tracer | undefined
}

/** The governed tool layer, as this server's settings want it. */
export function createToolLayer(options: ToolLayerOptions): Hub {
  const { config, clock, log, sql, kv, vault, key, egress, tenants, templates } = options
  const { fileServers } = options
  const isOfFile = (server: RegisteredServer) => fileServers?.has(server) ?? false
  const store = fileServers ? { ...sql.hub, servers: fileServers.rows } : sql.hub
  const hub = createHub({
    ...{ store, kv, vault, key, clock, features: tenants, gate: templates.gate },
    journalDir: options.journalDir,
    egressFor(server) {
      const { tenant_id, user_id } = server
      const isAdmins = user_id === null && egress.policyOf(tenant_id).mode === 'any'
      return isAdmins || isOfFile(server) ? egress.any : egress.public
    },
    sandboxFor: createSandboxRule({ config, templates, log, isOfFile }),
    quotaOf: ({ tenant_id }) => ({
      perOwner: config.mcp_servers_per_user,
      perTenant: tenants.get(tenant_id)?.max_mcp_servers ?? undefined,
    }),
    oauth: { redirectUrl: `${options.ownUrl()}/api/v1/oauth/callback` },
    masker: options.masker,
    tracer: options.tracer,
    reloadTenants,
    reloadAgents: options.reloadAgents,
    reloadGroups: options.reloadGroups,
    passesQuestions: config.gateway,
    approvals: {
      hasUser: async (tenant_id, user_id) =>
        (await sql.users.get(tenant_id, user_id))?.disabled_at === null,
    },
    settings: {
      defaultAllow: config.default_tools === 'all' ? [{ server_id: '*', tool: '*' }] : [],
      traceArgs: config.trace_content,
      approvalMs: config.approval_timeout * 1000,
      retentionDays: config.retention_days,
      reconnect: { firstMs: config.mcp_reconnect_first_ms, maxMs: config.mcp_reconnect_max_ms },
      // Sessions under way may hold what their user has changed since.
      upstreams: {
        perUser: Math.max(1, config.mcp_servers_per_user) * 4,
        toolsPerServer: config.mcp_tools_per_server,
      },
    },
    onLog: (entry) => write(log, entry),
  })
  return hub

  /** The approved commands are a setting of all tenants. */
  async function reloadTenants(tenant_id: string | undefined): Promise<void> {
    const isAll = tenant_id === undefined || tenant_id === platformTenant
    const isOther = isAll && (await templates.reload())
    await tenants.reload(isAll ? undefined : tenant_id)
    const means = { servers: hub.servers, users: sql.users, gate: templates.gate, log }
    // Never rejects. Not waited for: calls of all tenants would wait with it.
    if (isOther) void switchOffUnapproved(theInstallation, means)
  }
}

/** Who acts where nobody asks: what another process was told to approve no more ends here too. */
const theInstallation = {
  tenant_id: platformTenant,
  user_id: null,
  role: 'platform_admin',
} as const

function write(log: Logger, { level, message, ...fields }: HubLogEntry): void {
  log[level](fields, message)
}
