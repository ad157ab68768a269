import { readJson } from '@dataagent/schema'
import { createDefinitions, type Definitions } from './definitions.ts'
import type { PlatformOptions, ProviderRow, Stored } from './tables.ts'

/** Model providers that administrators have added, by provider_id. */
export type Providers = Definitions<ProviderRow>

export function createProviders(options: PlatformOptions): Providers {
  return createDefinitions<ProviderRow>({
    ...options,
    table: 'model_providers',
    id: 'provider_id',
    toStored: ({ models, calls_tools, enabled, ...row }): Stored<ProviderRow> => ({
      ...row,
      models: JSON.stringify(models),
      calls_tools: Number(calls_tools),
      enabled: Number(enabled),
    }),
    fromStored(stored) {
      const { models, calls_tools, enabled, ...row } = stored as unknown as Stored<ProviderRow>
      const flags = { calls_tools: Boolean(calls_tools), enabled: Boolean(enabled) }
      return { ...row, models: readJson(models) as string[], ...flags }
    },
  })
}
