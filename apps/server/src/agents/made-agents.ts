import {
  type Agent,
  type AgentExecutor,
  type AgentFactoryOptions,
  createAgentFactory,
  createExecutor,
  type RunLeases,
  type SessionLog,
} from '@dataagent/core'
import type { Clock } from '@dataagent/guard'
import { type Hub, noTracer, type Tracer } from '@dataagent/hub'
import type { Logger } from '../log/index.ts'
import type { AgentRow } from '../ports/index.ts'
import type { TenantModels } from './tenant-models.ts'

export interface MadeAgentsOptions extends Omit<AgentFactoryOptions, 'settings' | 'hub' | 'clock'> {
  hub: Hub
  /** Where runs write. */
  sessionLog: SessionLog
  /** Default: no spans. */
  tracer?: Tracer | undefined
  log: Logger
  clock: Clock
  models(tenant_id: string): TenantModels
}

interface MadeAgent {
  /** Of what it was made. */
  row: AgentRow
  models: TenantModels
  agent: Agent
  executors: WeakMap<RunLeases, AgentExecutor>
}

/** Agents that were made of their rows, and what runs them. */
export interface MadeAgents {
  /** Throws `config_invalid` for what no agent can be made of. */
  make(row: AgentRow): MadeAgent
  /** The same one, until the row or the models of the tenant change. Throws as `make`. */
  executorOf(row: AgentRow, leases: RunLeases): AgentExecutor
  /** Lets go of those that are no longer there. */
  keepOnly(isThere: (row: AgentRow) => boolean): void
}

export function createMadeAgents(options: MadeAgentsOptions): MadeAgents {
  const { hub, sessionLog, tracer = noTracer, log, clock, models } = options
  const kept = new Map<string, MadeAgent>()

  function make(row: AgentRow): MadeAgent {
    const settings = models(row.tenant_id)
    const { model, system_prompt, tool_budget_tokens, ...config } = row
    const { agent } = createAgentFactory({ ...options, settings }).createAgent({
      ...config,
      ...(model !== null && { model }),
      ...(system_prompt !== null && { system_prompt }),
      ...(tool_budget_tokens !== null && { tool_budget_tokens }),
    })
    return { row, models: settings, agent, executors: new WeakMap() }
  }

  function find(row: AgentRow): MadeAgent {
    const key = JSON.stringify([row.tenant_id, row.assistant_id])
    const found = kept.get(key)
    if (found && found.models === models(row.tenant_id) && isSame(found.row, row)) return found
    const fresh = make(row)
    kept.set(key, fresh)
    return fresh
  }

  return {
    make,
    executorOf(row, leases) {
      const { agent, executors } = find(row)
      const found = executors.get(leases)
      if (found) return found
      const fresh = createExecutor({
        ...{ hub, agent, log: sessionLog, leases, tracer, onLeave: 'finish', clock },
        onError: (error, run) => log.error({ error, ...run }, 'a run failed unexpectedly'),
      })
      executors.set(leases, fresh)
      return fresh
    },
    keepOnly(isThere) {
      for (const [key, { row }] of kept) if (!isThere(row)) kept.delete(key)
    },
  }
}

function isSame(a: AgentRow, b: AgentRow): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
