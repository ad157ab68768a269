import type { IncomingMessage } from 'node:http'
import type { Clock, Egress } from '@dataagent/guard'
import type { Hub, Kv, Vault } from '@dataagent/hub'
import type { People } from './oauth/index.ts'
import type { GatewayStore, TokenCraft } from './ports.ts'

export interface GatewayOptions {
  hub: Hub
  store: GatewayStore
  kv: Kv
  vault: Vault
  craft: TokenCraft
  people: People
  /** 32 bytes of the installation, the same in all its processes, and not in its database. */
  key: Uint8Array
  /** The way out for client metadata documents: public addresses alone. */
  egress: Egress
  /** Where clients reach this server, without a slash at its end. */
  publicUrl(): string
  /** Who a request comes from, proxies that are believed taken into account. */
  ipOf(request: IncomingMessage): string
  /** Whether a page of that origin may ask: for requests that carry one. */
  isAllowedOrigin(request: IncomingMessage): boolean
  version: string
  settings?: GatewaySettings | undefined
  clock?: Clock | undefined
  /** Must not throw. */
  onLog?: ((entry: GatewayLogEntry) => void) | undefined
}

/** Each as its MCP_ variable names it. */
export interface GatewaySettings {
  /** What `initialize` on the JSON-RPC endpoint speaks. Default 2024-11-05. */
  protocol_version?: string | undefined
  server_name?: string | undefined
  server_identifier?: string | undefined
  /**
   * The authorization page, where it is reached under another address than `publicUrl`; without a
   * path, our own path there.
   */
  auth_base_url?: string | undefined
  /** Callback of the pre-registered client `dify`. Without it there is no such client. */
  oauth_redirect_uri?: string | undefined
  /** Default 3600. */
  session_ttl_seconds?: number | undefined
  rate_limits?:
    | {
        /** Default true. */
        enabled?: boolean | undefined
        /** Default 60. */
        window_seconds?: number | undefined
        /** Default 120. */
        list_limit?: number | undefined
        /** Default 240. */
        call_limit?: number | undefined
      }
    | undefined
  /** Whether the JSON-RPC endpoint's GET stream opens before authorisation. Default false. */
  open_discovery?: boolean | undefined
  /** Default true: whoever is given the URL can connect. */
  dynamic_registration?: boolean | undefined
  /** For how long a call from outside waits for a person before it answers. Default 50 s. */
  hold_seconds?: number | undefined
  /** Largest message in bytes. Default 4 MiB. */
  message_bytes?: number | undefined
}

export interface GatewayLogEntry {
  level: 'info' | 'warn' | 'error'
  message: string
  group_id?: string
  client?: string
  ip?: string
  /** For the log alone: never sent to a client. */
  error?: unknown
}
