import type { AgentExecutor, RunLeases } from '@dataagent/core'
import type { Toolset } from '@dataagent/hub'
import type { AgentInfo, Session } from '@dataagent/schema'
import type { AgentRow, ProviderRow } from '../ports/index.ts'

/** A model that an agent of the tenant may be given. */
export interface ModelChoice {
  /** `provider:model`. */
  model: string
  provider_id: string
  name: string
  is_default: boolean
}

/**
 * The agents and model providers of all tenants, as this process holds them: brought up to date
 * within a second of a change in any process.
 */
export interface AgentBook {
  /** Enabled ones of a tenant, by name; `default` is there unless a row of that id replaces it. */
  list(tenant_id: string): AgentInfo[]
  /** The same with those that are switched off. */
  listAll(tenant_id: string): AgentInfo[]
  /** The agent that a user may chat with, or the default one. Throws `not_found`. */
  choose(tenant_id: string, assistant_id?: string): AgentInfo
  get(tenant_id: string, assistant_id: string): AgentRow | undefined
  /** The tools that the agent brings itself. Throws as `choose`. */
  toolset(tenant_id: string, assistant_id: string): Toolset
  providers(tenant_id: string): readonly ProviderRow[]
  models(tenant_id: string): ModelChoice[]
  /** Throws `config_invalid` or `invalid_request` for what no agent could be made of. */
  check(agent: AgentRow): Promise<void>
  /** What runs the session's agent, as it is set up now. Throws `not_found`. */
  createExecutor(session: Session, means: { leases: RunLeases }): Promise<AgentExecutor>
  /** Asks the provider for a few words; gives how long it took, throws what went wrong. */
  testProvider(provider: ProviderRow, model?: string): Promise<{ ms: number; model: string }>
  /** Reads again the agents and providers of a tenant, or all. */
  reload(tenant_id?: string): Promise<void>
}
