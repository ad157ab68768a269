import { createSettings, type ModelPort, type ModelPrice, type Settings } from '@dataagent/core'
import type { Clock, Egress, EgressPolicy } from '@dataagent/guard'
import type { Vault } from '@dataagent/hub'
import { AppError, isAppError, type Secret } from '@dataagent/schema'
import type { ProviderRow } from '../ports/index.ts'
import { openProviderKey } from './provider-secret.ts'

/** A provider whose models can be asked. */
export interface OpenedProvider {
  row: ProviderRow
  /** Throws `config_invalid` where its models cannot be asked. */
  settings(): Pick<Settings, 'values' | 'createModel'>
  /** `model` as the provider calls it. Throws as `settings`. */
  createModel(model: string): ModelPort
  priceOf(model: string): ModelPrice | undefined
}

export interface OpenProviderOptions {
  vault: Vault
  egress: Egress
  /** What the addresses may be that administrators of a tenant have set. */
  policyOf(tenant_id: string): EgressPolicy
  clock: Clock
}

/**
 * Opens a provider's key. A row is an environment of its own: its models have the facts, the
 * retries and the budget that those of the installation's environment have.
 */
export async function openProvider(
  row: ProviderRow,
  { vault, egress, policyOf, clock }: OpenProviderOptions,
): Promise<OpenedProvider> {
  const key = await openKey(vault, row)
  const problem = findProblem(row, key)
  const env = key === 'unreadable' ? {} : toEnvironment(row, key)
  const policy = policyOf(row.tenant_id)
  const byText = row.calls_tools ? {} : { callsTools: false }
  // Its root is never used: folders are those of the installation's own settings.
  const wayOut = { egress, policy, root: '/', clock }
  const made = problem === undefined ? createSettings({ env, ...byText, ...wayOut }) : undefined

  function settings(): Pick<Settings, 'values' | 'createModel'> {
    if (made) return made
    throw new AppError('config_invalid', `The model provider ${row.provider_id} ${problem}.`)
  }

  return {
    row,
    settings,
    createModel(model) {
      const named = `${row.provider_id}:${model}`
      return { ...settings().createModel(`${row.kind}:${model}`), name: named }
    },
    priceOf: (model) => made?.priceOf(`${row.kind}:${model}`),
  }
}

type Key = Secret | 'unreadable' | undefined

/** A vault that is away rejects: the rows are then read again. */
async function openKey(vault: Vault, row: ProviderRow): Promise<Key> {
  try {
    return await openProviderKey(vault, row)
  } catch (error) {
    if (isAppError(error, 'secret_unreadable')) return 'unreadable'
    throw error
  }
}

function findProblem({ enabled, base_url }: ProviderRow, key: Key): string | undefined {
  if (!enabled) return 'is switched off'
  if (key === 'unreadable') return 'has a key that cannot be opened any more: enter it again'
  if (key === undefined && base_url === null) return 'needs a key'
  return undefined
}

function toEnvironment({ kind, base_url }: ProviderRow, key: Secret | undefined) {
  const prefix = kind === 'openai' ? 'OPENAI' : 'ANTHROPIC'
  return {
    ...(key && { [`${prefix}_API_KEY`]: key.reveal() }),
    ...(base_url !== null && { [`${prefix}_BASE_URL`]: base_url }),
  }
}
