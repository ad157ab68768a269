import type { AgentDefinition } from '@dataagent/schema'
import type { Noted, NotedWithin } from './page.ts'

/** An agent that an administrator has set up. */
export interface AgentRow extends AgentDefinition {
  tenant_id: string
  created_at: number
  updated_at: number
}

/** Every change takes the next revision of the topic `agents` in the same transaction. */
export interface Agents {
  /** All of a tenant, or of every tenant, by assistant_id. */
  list(tenant_id?: string): Promise<AgentRow[]>
  /** Throws `conflict` where the id is taken in this tenant, `quota_exceeded` over its `max`. */
  create(agent: AgentRow, options?: NotedWithin): Promise<void>
  /** Throws `not_found`. `created_at` stays. */
  update(agent: AgentRow, options?: Noted): Promise<AgentRow>
  /** False where there was none. */
  delete(tenant_id: string, assistant_id: string, options?: Noted): Promise<boolean>
}
