import type { Settings } from '@dataagent/core'
import { type Clock, type Egress, type EgressPolicy, systemClock } from '@dataagent/guard'
import { type AgentInfo, AppError, isAppError } from '@dataagent/schema'
import type { AgentRow } from '../ports/index.ts'
import { builtInAgent, builtInId } from './built-in-agent.ts'
import type { AgentBook } from './contract.ts'
import { createCurrentExecutor } from './current-executor.ts'
import { createMadeAgents, type MadeAgentsOptions } from './made-agents.ts'
import { openProvider } from './opened-provider.ts'
import { createRows, type RowsOptions } from './rows.ts'
import { createModelsOf } from './tenant-models.ts'
import { tryProvider } from './try-provider.ts'

export interface AgentBookOptions
  extends Omit<RowsOptions, 'egress' | 'policyOf' | 'clock'>,
    Omit<MadeAgentsOptions, 'models' | 'clock'> {
  /** What the environment says of models. */
  settings: Settings
  /** The way out to addresses that administrators have set. */
  providerEgress: Egress
  /** What those of a tenant may be. */
  providerPolicyOf(tenant_id: string): EgressPolicy
  clock?: Clock | undefined
}

/** Empty until the first `reload`, which the hub calls when it starts: see `reloadAgents`. */
export function createAgentBook(options: AgentBookOptions): AgentBook {
  const { clock = systemClock } = options
  const { vault, providerEgress: egress, providerPolicyOf: policyOf } = options
  const wayOut = { vault, egress, policyOf, clock }
  const rows = createRows({ ...options, ...wayOut })
  const models = createModelsOf(options.settings, rows.providers)
  const made = createMadeAgents({ ...options, clock, models })

  function get(tenant_id: string, assistant_id: string): AgentRow | undefined {
    const row = rows.agents(tenant_id).get(assistant_id)
    return row ?? (assistant_id === builtInId ? builtInAgent(tenant_id) : undefined)
  }

  function all(tenant_id: string): AgentRow[] {
    const stored = rows.agents(tenant_id)
    const builtIn = stored.has(builtInId) ? [] : [builtInAgent(tenant_id)]
    return [...builtIn, ...stored.values()].sort(byName)
  }

  const enabled = (tenant_id: string) => all(tenant_id).filter((row) => row.enabled)

  function toInfo(row: AgentRow): AgentInfo {
    const { assistant_id, name, description, model, tenant_id, enabled: isOn } = row
    const used = model ?? models(tenant_id).model
    return { assistant_id, name, description, model: used, enabled: isOn }
  }

  function find(tenant_id: string, assistant_id: string): AgentRow {
    const row = get(tenant_id, assistant_id)
    if (row?.enabled) return row
    throw new AppError('not_found', `there is no agent ${assistant_id}`)
  }

  return {
    get,
    list: (tenant_id) => enabled(tenant_id).map(toInfo),
    listAll: (tenant_id) => all(tenant_id).map(toInfo),
    choose(tenant_id, assistant_id) {
      if (assistant_id !== undefined) return toInfo(find(tenant_id, assistant_id))
      const open = enabled(tenant_id)
      const chosen = open.find((row) => row.assistant_id === builtInId) ?? open[0]
      if (chosen) return toInfo(chosen)
      throw new AppError('not_found', 'no agent is switched on')
    },
    toolset: (tenant_id, assistant_id) => made.toolsetOf(find(tenant_id, assistant_id)),
    providers: (tenant_id) => rows.providers(tenant_id).map(({ row }) => row),
    models: (tenant_id) => models(tenant_id).choices(),
    async check(row) {
      try {
        made.make(row)
      } catch (error) {
        if (!isAppError(error, 'config_invalid')) throw error
        throw new AppError('invalid_request', error.message, { cause: error })
      }
    },
    async createExecutor({ tenant_id, assistant_id }, { leases }) {
      const current = () => made.executorOf(find(tenant_id, assistant_id), leases)
      current()
      return createCurrentExecutor(current, clock)
    },
    async testProvider(row, model) {
      return tryProvider(await openProvider({ ...row, enabled: true }, wayOut), model, wayOut)
    },
    async reload(tenant_id) {
      await rows.reload(tenant_id)
      made.keepOnly((row) => get(row.tenant_id, row.assistant_id)?.enabled ?? false)
    },
  }
}

function byName(a: AgentRow, b: AgentRow): number {
  return a.name < b.name || (a.name === b.name && a.assistant_id < b.assistant_id) ? -1 : 1
}
