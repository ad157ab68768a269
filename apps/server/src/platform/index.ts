import type {
  AgentExecutor,
  MemoryStore,
  SessionManager,
  SessionStores,
  Workspaces,
} from '@dataagent/core'
import type { Gateway } from '@dataagent/gateway'
import type { Clock } from '@dataagent/guard'
import type { Hub, Kv, NewChange, Vault } from '@dataagent/hub'
import type { AgentBook } from '../agents/index.ts'
import type { Config } from '../config/index.ts'
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
  kv: Kv
  vault: Vault
  hub: Hub
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
  hitl: WebHITLHandler
  /** Undefined where it is switched off. */
  gateway: Gateway | undefined
  /** Where browsers and clients reach this server. */
  ownUrl(): string
}

/** What was changed, without secrets. */
export interface Happened extends Pick<NewChange, 'tenant_id' | 'kind' | 'target' | 'action'> {
  before?: unknown
  after?: unknown
}

/** Throws `store_unavailable` until the database has been there once. */
export type GetPlatform = () => Platform
