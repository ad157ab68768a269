import { AppError } from '@dataagent/schema'

const providers = ['openai', 'anthropic', 'demo'] as const
export type ProviderName = (typeof providers)[number]

export interface ModelName {
  provider: ProviderName
  /** As the provider calls it; empty for the demo model. */
  model: string
}

/** Reads `provider:model`. An unknown provider is `config_invalid` that lists those there are. */
export function parseModelName(name: string): ModelName {
  const [start = '', ...rest] = name.trim().split(':')
  const provider = providers.find((one) => one === start.toLowerCase())
  const model = rest.join(':')
  if (provider === 'demo') return { provider, model: '' }
  if (provider !== undefined && model !== '') return { provider, model }
  const what = provider === undefined ? 'names no known provider' : 'names no model'
  throw new AppError(
    'config_invalid',
    `The model "${name.slice(0, 100)}" ${what}. Write provider:model with one of: ${providers.join(', ')}.`,
    { data: { providers: [...providers] } },
  )
}
