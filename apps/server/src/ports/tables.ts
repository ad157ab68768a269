import type { GatewayStore } from '@dataagent/gateway'
import type { DataStore } from '@dataagent/schema'
import type { Agents } from './agents.ts'
import type { ApiKeys } from './api-keys.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import type { Evaluations } from './evaluations.ts'
import type { FeedbackRows } from './feedback.ts'
import type { Providers } from './providers.ts'
import type { Runs } from './runs.ts'
import type { Settings } from './settings.ts'
import type { TenantRows } from './tenant-rows.ts'
import type { Tenants } from './tenants.ts'
import type { Users } from './users.ts'

/**
 * The server's own tables, which the SQL store implements. Every method may throw
 * `store_unavailable`, `storage_full` or `internal` beside its own errors.
 */
export interface Tables {
  users: Users
  tenants: Tenants
  apiKeys: ApiKeys
  browserSessions: BrowserSessions
  agents: Agents
  providers: Providers
  runs: Runs
  feedback: FeedbackRows
  evaluations: Evaluations
  data: DataStore
  settings: Settings
  gateway: GatewayStore
  ofTenant: TenantRows
}
