import type { Message, Role, Session, Tenant, User } from '@dataagent/schema'
import type { HubTables } from './hub/tables.ts'

/** Columns as they are spelled in the database. JSON is text, times are milliseconds since 1970. */
export interface Database extends HubTables {
  schema_migrations: { name: string; applied_at: number }
  settings: { name: string; value: string }
  tenants: TenantRow
  users: User
  api_keys: ApiKeyRow
  sessions: SessionRow
  messages: MessageRow
  events: EventRow
}

export interface TenantRow extends Omit<Tenant, 'features_enabled'> {
  features_enabled: string
}

export interface ApiKeyRow {
  key_id: string
  tenant_id: string
  user_id: string
  name: string
  role: Role
  hashed_api_key: string
  key_mac: string
  pepper_kid: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

export interface SessionRow extends Omit<Session, 'state' | 'metadata'> {
  state: string
  metadata: string
}

export interface MessageRow extends Message {
  seq: number
}

export interface EventRow {
  session_id: string
  seq: number
  kind: string
  json: string
}
