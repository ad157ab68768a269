import type { Clock, Egress } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import type { GatewayLogEntry, GatewaySettings } from '../gateway-options.ts'
import type { Groups } from '../groups/index.ts'
import type { ClientRows, TokenCraft } from '../ports.ts'
import type { Tokens } from '../tokens/index.ts'
import type { People } from './contract.ts'

export interface OAuthServerOptions {
  tokens: Tokens
  groups: Pick<Groups, 'findByKey' | 'offeredTo' | 'isBoundKey' | 'get' | 'holds'>
  clients: ClientRows
  people: People
  kv: Pick<Kv, 'get' | 'set' | 'delete' | 'take' | 'count'>
  craft: TokenCraft
  /** The way out for client metadata documents: public addresses alone. */
  egress: Pick<Egress, 'request'>
  /** Where clients reach this server, without a slash at its end. */
  publicUrl(): string
  settings: OAuthSettings
  clock: Clock
  /** Must not throw. */
  onLog(entry: GatewayLogEntry): void
}

export type OAuthSettings = Pick<
  GatewaySettings,
  'auth_base_url' | 'oauth_redirect_uri' | 'dynamic_registration' | 'server_name'
>
