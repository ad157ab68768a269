import type { NewChange } from '@dataagent/hub'
import type {
  AgentDefinition,
  DatasetInfo,
  EvaluationRunInfo,
  Feedback,
  ModelProviderSettings,
  RunInfo,
  Tenant,
  TrialStatus,
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

/** As `Noted`, of one more: `quota_exceeded` where there are `max` already. */
export interface NotedWithin extends Noted {
  max?: number | undefined
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
export interface RunRow extends Omit<RunInfo, 'trace_id'> {
  tenant_id: string
  role: string
  api_key: string | null
  /** The process that began it or picked it up last; empty where that one has left it. */
  owner: string
  /** When that process last said that it is alive, where it says so here. */
  seen_at: number
  /** W3C trace context of what began it. */
  traceparent: string | null
}

/** What a user thinks of a turn. */
export interface FeedbackRow extends Feedback {
  tenant_id: string
}

/** A set of questions; they are JSON. */
export interface EvaluationDatasetRow extends DatasetInfo {
  tenant_id: string
  questions: string
}

/** One asking through of a set of questions. What is not a name, a state or a time is JSON. */
export interface EvaluationRunRow extends Omit<EvaluationRunInfo, 'counts' | 'settings' | 'error'> {
  tenant_id: string
  /** The process that carries it out; empty where none does. */
  owner: string
  /** When that process last said that it is alive; of one that is over, when that was. */
  seen_at: number
  settings: string | null
  questions: string
  report: string | null
  error: string | null
}

/** One asking of one question; `json` is all of it. */
export interface EvaluationTrialRow {
  tenant_id: string
  run_id: string
  seq: number
  question_id: string
  status: TrialStatus
  json: string
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
  turn_feedback: FeedbackRow
  evaluation_datasets: EvaluationDatasetRow
  evaluation_runs: EvaluationRunRow
  evaluation_trials: EvaluationTrialRow
}
