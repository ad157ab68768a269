import { createExclusive } from '@dataagent/guard'
import { platformTenant } from '@dataagent/hub'
import type { AgentRow, Agents, Providers } from '../ports/index.ts'
import { type OpenedProvider, type OpenProviderOptions, openProvider } from './opened-provider.ts'

export interface RowsOptions extends OpenProviderOptions {
  agents: Pick<Agents, 'list'>
  providers: Pick<Providers, 'list'>
}

/** What the tables hold, as this process has read it last. */
export interface Rows {
  /** Of one tenant, by id. */
  agents(tenant_id: string): ReadonlyMap<string, AgentRow>
  /** A tenant's own first, then the platform's. */
  providers(tenant_id: string): readonly OpenedProvider[]
  /** Rejects as the tables and the vault do; what was held then stays. */
  reload(tenant_id?: string): Promise<void>
}

const noAgents: ReadonlyMap<string, AgentRow> = new Map()

export function createRows(options: RowsOptions): Rows {
  const exclusive = createExclusive()
  const agents = new Map<string, ReadonlyMap<string, AgentRow>>()
  const providers = new Map<string, readonly OpenedProvider[]>()

  /** A provider that has not changed stays open: what it knows of its models is kept. */
  async function open(tenant_id: string, rows: Awaited<ReturnType<Providers['list']>>) {
    const held = providers.get(tenant_id) ?? []
    return Promise.all(
      rows.map((row) => held.find((one) => areSame(one.row, row)) ?? openProvider(row, options)),
    )
  }

  async function read(tenant_id?: string): Promise<void> {
    const [agentRows, providerRows] = await Promise.all([
      options.agents.list(tenant_id),
      options.providers.list(tenant_id),
    ])
    const ofAgents = Map.groupBy(agentRows, (row) => row.tenant_id)
    const ofProviders = Map.groupBy(providerRows, (row) => row.tenant_id)
    const known = [ofAgents, ofProviders, agents, providers].flatMap((map) => [...map.keys()])
    const changed = tenant_id === undefined ? new Set(known) : [tenant_id]
    for (const one of changed) {
      const opened = await open(one, ofProviders.get(one) ?? [])
      agents.set(one, new Map(ofAgents.get(one)?.map((row) => [row.assistant_id, row])))
      providers.set(one, opened)
    }
  }

  return {
    agents: (tenant_id) => agents.get(tenant_id) ?? noAgents,
    providers: (tenant_id) => [
      ...(providers.get(tenant_id) ?? []),
      ...(providers.get(platformTenant) ?? []),
    ],
    // One after another: what was read later is never replaced by what was read before.
    reload: (tenant_id) => exclusive('reload', () => read(tenant_id)),
  }
}

function areSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
