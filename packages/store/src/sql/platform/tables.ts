import type { NewChange } from '@dataagent/hub'
import type {
  AgentDefinition,
  ModelProviderSettings,
  RunInfo,
  Tenant,
  User,
} from '@dataagent/schema'
import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Database } from '../tables.ts'

export interface PlatformOptions {
  db: Kysely<Database>
  engine: Engine
}

/** A change with the note of it, which is stored in the same transaction. */
export interface Noted {
  note?: NewChange | undefined
}

export interface TenantRow extends Omit<Tenant, 'features_enabled'> {
  features_enabled: string
}

/** An API key as it is stored: hashes only, never the key. */
export interface ApiKeyRow {
  key_id: string
  tenant_id: string
  user_id: string
  name: string
  role: string
  hashed_api_key: string
  key_mac: string
  pepper_kid: string
  /** Whether its holder may act for other users of the tenant: 1 or 0. */
  act_as: number
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

/** A browser that is signed in: the keyed hash of its token. */
export interface BrowserSessionRow {
  token_mac: string
  tenant_id: string
  user_id: string
  role: string
  /** The API key that it was made from. */
  key_id: string | null
  created_at: number
  last_used_at: number
  expires_at: number
}

/** An agent that an administrator has set up. */
export interface AgentRow extends AgentDefinition {
  tenant_id: string
  created_at: number
  updated_at: number
}

/** A model provider that an administrator has added. */
export interface ProviderRow extends ModelProviderSettings {
  /** `*` for one that every tenant may use. */
  tenant_id: string
  provider_id: string
  /** Sealed; null where it needs none. */
  api_key: string | null
  created_at: number
  updated_at: number
}

/** One turn, for as long as it runs and afterwards. */
export interface RunRow extends RunInfo {
  tenant_id: string
  role: string
  api_key: string | null
  /** The process that began it or picked it up last. */
  owner: string
}

/** As a table holds it: 1 and 0 for true and false, lists as JSON. */
export type Stored<Row> = {
  [Column in keyof Row]: Row[Column] extends boolean
    ? number
    : Row[Column] extends readonly unknown[]
      ? string
      : Row[Column]
}

/** The tables of the server itself. */
export interface PlatformTables {
  tenants: TenantRow
  users: User
  api_keys: ApiKeyRow
  browser_sessions: BrowserSessionRow
  agents: Stored<AgentRow>
  model_providers: Stored<ProviderRow>
  runs: RunRow
}
