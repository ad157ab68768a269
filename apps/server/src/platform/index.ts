import type {
  AgentExecutor,
  MemoryStore,
  SessionManager,
  SessionStores,
  Workspaces,
} from '@dataagent/core'
import type { Queries, Sources } from '@dataagent/data'
import type { Gateway } from '@dataagent/gateway'
import type { Clock } from '@dataagent/guard'
import type { Hub, Kv, NewChange, Tracer, Vault } from '@dataagent/hub'
import type { ServerConfigInput } from '@dataagent/schema'
import type { AgentBook } from '../agents/index.ts'
import type { Config } from '../config/index.ts'
import type { EvaluationBook } from '../evaluations/index.ts'
import type { WebHITLHandler } from '../hitl/index.ts'
import type { KeyCraft, Principal } from '../identity/index.ts'
import type { Logger } from '../log/index.ts'
import type { SessionSearch, Tables } from '../ports/index.ts'
import type { RunBook } from '../runs/index.ts'
import type { TemplateBook } from '../templates/index.ts'
import type { TenantBook } from '../tenants/index.ts'

/** Everything that answers requests, once the database has been there. */
export interface Platform {
  config: Config
  clock: Clock
  log: Logger
  version: string
  tables: Tables
  craft: KeyCraft
  kv: Kv & KeyList
  vault: Vault
  hub: Hub
  /** Undefined where spans go nowhere. */
  tracer: Tracer | undefined
  /** Makes the note of a change of our own tables. */
  note(by: Principal, happened: Happened): NewChange
  stores: SessionStores & { sessions: SessionSearch }
  sessions: SessionManager<AgentExecutor>
  workspaces: Workspaces
  memory: MemoryStore
  tenants: TenantBook
  templates: TemplateBook
  agents: AgentBook
  runs: RunBook
  evaluations: EvaluationBook
  hitl: WebHITLHandler
  /** Undefined where it is switched off. */
  data: DataRoom | undefined
  /** Undefined where it is switched off. */
  gateway: Gateway | undefined
  /** Where browsers and clients reach this server. */
  ownUrl(): string
  /** Set where this is the platform of one terminal. */
  terminal: PlatformOfTerminal | undefined
}

/** One page of the keys that begin with a prefix: for what is done seldom. */
export interface KeyList {
  list(prefix: string, cursor?: string): Promise<{ keys: string[]; cursor: string | undefined }>
}

/** Sources of data, and the queries that they were asked. */
export interface DataRoom {
  sources: Sources
  queries: Queries
  /** Where its files are; they end with the server where its rows do. */
  folder: string
  /** Where the kept rows of a tenant's queries are. */
  resultsOf(tenant_id: string): string
}

export interface PlatformOfTerminal {
  /** Who sits at it. */
  user: Principal & { user_id: string }
  /** Of the user's files: see `FileServers`. They act at once. Throws `invalid_request`. */
  setServers(servers: readonly ServerConfigInput[]): Promise<void>
}

/** What was changed, without secrets. */
export interface Happened extends Pick<NewChange, 'tenant_id' | 'kind' | 'target' | 'action'> {
  before?: unknown
  after?: unknown
}

/** Throws `store_unavailable` until the database has been there once. */
export type GetPlatform = () => Platform
