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
    toStored: ({ models, enabled, ...row }): Stored<ProviderRow> => ({
      ...row,
      models: JSON.stringify(models),
      enabled: Number(enabled),
    }),
    fromStored(stored) {
      const { models, enabled, ...row } = stored as unknown as Stored<ProviderRow>
      return { ...row, models: readJson(models) as string[], enabled: Boolean(enabled) }
    },
  })
}
