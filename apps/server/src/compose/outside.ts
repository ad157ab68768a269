import { createGateway, type Gateway } from '@dataagent/gateway'
import type { Clock, Egress } from '@dataagent/guard'
import type { Hub, Kv, Vault } from '@dataagent/hub'
import type { SqlStore } from '@dataagent/store/sql'
import type { Config } from '../config/index.ts'
import { createPeople, createVisitors } from '../gateway/index.ts'
import type { Identity, KeyCraft } from '../identity/index.ts'
import type { Logger } from '../log/index.ts'
import { version } from '../version.ts'

export interface OutsideOptions {
  config: Config
  clock: Clock
  log: Logger
  hub: Hub
  sql: SqlStore
  kv: Kv
  vault: Vault
  craft: KeyCraft
  key: Uint8Array
  identity: Pick<Identity, 'authenticateBrowser' | 'authenticateKey' | 'stillMay'>
  /** Public addresses alone. */
  egress: Egress
  ownUrl(): string
}

/** The gateway for others' agents, as this server's settings want it. */
export function createOutside(options: OutsideOptions): Gateway | undefined {
  const { config, clock, log, hub, sql, kv, vault, craft, key, egress, ownUrl } = options
  if (!config.gateway) return undefined
  return createGateway({
    ...{ hub, store: sql.gateway, kv, vault, craft, key, egress, clock, version },
    people: createPeople(options.identity, () => config.mcp_auth_base_url ?? ownUrl()),
    publicUrl: () => ownUrl().replace(/\/$/, ''),
    ipOf: createVisitors(config.trusted_proxies).ipOf,
    // What is served has passed the server's own check.
    isAllowedOrigin: () => true,
    settings: {
      protocol_version: config.mcp_protocol_version,
      server_name: config.mcp_server_name,
      server_identifier: config.mcp_server_identifier,
      auth_base_url: config.mcp_auth_base_url,
      oauth_redirect_uri: config.mcp_oauth_redirect_uri,
      session_ttl_seconds: config.mcp_session_ttl_seconds,
      rate_limits: {
        enabled: config.mcp_rl_enabled,
        window_seconds: config.mcp_rl_window_seconds,
        list_limit: config.mcp_rl_list_limit,
        call_limit: config.mcp_rl_call_limit,
      },
      open_discovery: config.gateway_open_discovery,
      dynamic_registration: config.gateway_registration,
      hold_seconds: config.gateway_hold_seconds,
      message_bytes: config.gateway_message_bytes,
    },
    onLog: ({ level, message, ...fields }) => log[level](fields, message),
  })
}
