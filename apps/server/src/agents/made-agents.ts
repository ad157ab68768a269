import {
  type Agent,
  type AgentExecutor,
  type AgentFactoryOptions,
  type AgentMiddleware,
  createAgentFactory,
  createExecutor,
  type ExecutorOptions,
  type RunLeases,
  type SessionLog,
  toolsetOf,
} from '@dataagent/core'
import type { Clock } from '@dataagent/guard'
import { type Hub, noTracer, type OwnTool, type Toolset, type Tracer } from '@dataagent/hub'
import type { Logger } from '../log/index.ts'
import type { AgentRow } from '../ports/index.ts'
import type { TenantModels } from './tenant-models.ts'

export interface MadeAgentsOptions
  extends Omit<AgentFactoryOptions, 'settings' | 'hub' | 'clock'>,
    Pick<ExecutorOptions, 'traceContent' | 'onModelCall'> {
  hub: Hub
  /** What agents of a tenant have besides. Asked often: gives the same until that changes. */
  extrasOf?: ((tenant_id: string) => AgentExtras) | undefined
  /** Where runs write. */
  sessionLog: SessionLog
  /** Default: no spans. */
  tracer?: Tracer | undefined
  log: Logger
  clock: Clock
  models(tenant_id: string): TenantModels
}

/** Tools and middleware that the platform gives an agent. */
export interface AgentExtras {
  tools: readonly OwnTool[]
  middleware: readonly AgentMiddleware[]
}

interface MadeAgent {
  /** Of what it was made. */
  row: AgentRow
  models: TenantModels
  extras: AgentExtras | undefined
  agent: Agent
  toolset: Toolset
  executors: WeakMap<RunLeases, AgentExecutor>
}

/** Agents that were made of their rows, and what runs them. */
export interface MadeAgents {
  /** Throws `config_invalid` for what no agent can be made of. */
  make(row: AgentRow): MadeAgent
  /** The same one, until the row or the models of the tenant change. Throws as `make`. */
  executorOf(row: AgentRow, leases: RunLeases): AgentExecutor
  /** The tools that it brings itself. Throws as `make`. */
  toolsetOf(row: AgentRow): Toolset
  /** Lets go of those that are no longer there. */
  keepOnly(isThere: (row: AgentRow) => boolean): void
}

export function createMadeAgents(options: MadeAgentsOptions): MadeAgents {
  const { hub, sessionLog, tracer = noTracer, log, clock, models } = options
  const { traceContent, onModelCall, extrasOf } = options
  const kept = new Map<string, MadeAgent>()

  function make(row: AgentRow): MadeAgent {
    const settings = models(row.tenant_id)
    const extras = extrasOf?.(row.tenant_id)
    const { model, system_prompt, tool_budget_tokens, ...config } = row
    const { agent } = createAgentFactory({ ...options, settings }).createAgent({
      ...config,
      extra_tools: extras?.tools,
      extra_middleware: extras?.middleware,
      // The approvals of each run say it: the tenant may no longer have that feature.
      auto_approve: false,
      ...(model !== null && { model }),
      ...(system_prompt !== null && { system_prompt }),
      ...(tool_budget_tokens !== null && { tool_budget_tokens }),
    })
    const toolset = toolsetOf(agent)
    return { row, models: settings, extras, agent, toolset, executors: new WeakMap() }
  }

  function find(row: AgentRow): MadeAgent {
    const key = JSON.stringify([row.tenant_id, row.assistant_id])
    const found = kept.get(key)
    if (found && isAsNow(found, row)) return found
    const fresh = make(row)
    kept.set(key, fresh)
    return fresh
  }

  function isAsNow(found: MadeAgent, row: AgentRow): boolean {
    const isOfNow =
      found.models === models(row.tenant_id) && found.extras === extrasOf?.(row.tenant_id)
    return isOfNow && isSame(found.row, row)
  }

  return {
    make,
    executorOf(row, leases) {
      const { agent, executors } = find(row)
      const found = executors.get(leases)
      if (found) return found
      const fresh = createExecutor({
        ...{ hub, agent, log: sessionLog, leases, tracer, onLeave: 'finish', clock },
        ...{ traceContent, onModelCall },
        onError: (error, run) => log.error({ error, ...run }, 'a run failed unexpectedly'),
      })
      executors.set(leases, fresh)
      return fresh
    },
    toolsetOf: (row) => find(row).toolset,
    keepOnly(isThere) {
      for (const [key, { row }] of kept) if (!isThere(row)) kept.delete(key)
    },
  }
}

function isSame(a: AgentRow, b: AgentRow): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
