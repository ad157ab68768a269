/** Columns as they are spelled in the database. JSON is text, times are milliseconds since 1970. */
export interface Database {
  schema_migrations: { name: string; applied_at: number }
  settings: { name: string; value: string }
  tenants: TenantRow
  users: UserRow
  api_keys: ApiKeyRow
  sessions: SessionRow
  messages: MessageRow
  events: EventRow
}

export interface TenantRow {
  tenant_id: string
  name: string
  max_users: number | null
  max_sessions_per_user: number | null
  max_mcp_servers: number | null
  workspace_quota: number | null
  features_enabled: string
  created_at: number
}

export interface UserRow {
  tenant_id: string
  user_id: string
  name: string
  role: string
  created_at: number
  disabled_at: number | null
}

export interface ApiKeyRow {
  key_id: string
  tenant_id: string
  user_id: string
  name: string
  role: string
  hashed_api_key: string
  key_mac: string
  pepper_kid: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

export interface SessionRow {
  session_id: string
  tenant_id: string
  user_id: string
  assistant_id: string
  created_at: number
  last_active: number
  state: string
  metadata: string
}

export interface MessageRow {
  message_id: string
  session_id: string
  seq: number
  role: string
  content: string
  created_at: number
}

export interface EventRow {
  session_id: string
  seq: number
  kind: string
  json: string
}
