export type { AgentRow, Agents } from './agents.ts'
export type { KeyHashes, StoredKey } from './api-keys.ts'
export type { BrowserSessionRow } from './browser-sessions.ts'
export type {
  DatasetRow,
  EvaluationEnd,
  EvaluationRunKey,
  EvaluationRunRow,
  WholeEvaluationRun,
} from './evaluations.ts'
export type { ProviderRow, Providers } from './providers.ts'
export type { RunEnd, RunRow, Runs, RunUsage } from './runs.ts'
export type { SessionSearch } from './session-search.ts'
export type { Settings } from './settings.ts'
export type { Tables } from './tables.ts'
export type { Tenants } from './tenants.ts'
export type { Users } from './users.ts'
