import type { ProviderInfo, ProviderUpdateInput } from '@dataagent/schema'

/** A model provider as its form holds it. */
export interface ProviderFields {
  provider_id: string
  scope: ProviderInfo['scope']
  name: string
  kind: ProviderInfo['kind']
  base_url: string
  /** One in each line. */
  models: string
  api_key: string
  calls_tools: boolean
}

export const newProvider: ProviderFields = {
  ...{ provider_id: '', scope: 'tenant', name: '', kind: 'openai', base_url: '', models: '' },
  ...{ api_key: '', calls_tools: true },
}

/** The stored key is never here: an empty field keeps it. */
export function toFields(provider: ProviderInfo): ProviderFields {
  const { provider_id, scope, name, kind, base_url, models, calls_tools } = provider
  return {
    ...{ provider_id, scope, name, kind, calls_tools, api_key: '' },
    ...{ base_url: base_url ?? '', models: models.join('\n') },
  }
}

type Settings = Required<Omit<ProviderUpdateInput, 'api_key' | 'enabled'>>

/** What the form says, without the key where none was written. */
export function readProvider(fields: ProviderFields): Settings & { api_key?: string } {
  const { provider_id, name, kind, base_url, models, api_key, calls_tools } = fields
  const settings = {
    ...{ name: name.trim() || provider_id, kind, calls_tools },
    base_url: base_url.trim() === '' ? null : base_url.trim(),
    models: [...new Set(models.split(/[\n,]+/).map((model) => model.trim()))].filter(Boolean),
  }
  return api_key === '' ? settings : { ...settings, api_key }
}
