import { type Clock, type Egress, type EgressPolicy, systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import {
  createAnthropicModel,
  createDemoModel,
  createOpenAiModel,
  createRetryBudget,
  type ModelPort,
  withFallback,
  withRetry,
  withTextDialect,
} from '../models/index.ts'
import { type ModelName, type ProviderName, parseModelName } from './model-name.ts'
import type { ModelFacts } from './model-table.ts'
import { anthropicUrl, openAiUrl, type SettingsValues } from './settings-schema.ts'

export interface ModelMakerOptions {
  values: SettingsValues
  egress: Egress
  policy?: EgressPolicy | undefined
  factsOf(name: string): ModelFacts
  callsTools?: boolean | undefined
  clock?: Clock | undefined
}

/** A model that was made is kept: what it knows of messages serves all who use it. */
const keptModels = 100

/** Makes models by their names [D6.2]. */
export function createModelMaker(options: ModelMakerOptions): (name: string) => ModelPort {
  const { clock = systemClock } = options
  const kept = new Map<string, ModelPort>()
  const budgets = { openai: createRetryBudget({ clock }), anthropic: createRetryBudget({ clock }) }

  return (list) => {
    const models = list.split(',').map((name) => find(name.trim()))
    return models.length === 1 ? (models[0] as ModelPort) : withFallback(models, { clock })
  }

  function find(name: string): ModelPort {
    const found = kept.get(name)
    if (found !== undefined) return found
    const made = make(parseModelName(name))
    if (kept.size >= keptModels) kept.clear()
    kept.set(name, made)
    return made
  }

  function make(name: ModelName): ModelPort {
    const { provider } = name
    if (provider === 'demo') return createDemoModel()
    const facts = options.factsOf(`${provider}:${name.model}`)
    const model = connect(provider, name.model, facts)
    const callsTools = options.callsTools ?? facts.calls_tools ?? true
    const calling = callsTools ? model : withTextDialect(model)
    return withRetry(calling, { budget: budgets[provider], clock })
  }

  function connect(provider: 'openai' | 'anthropic', model: string, facts: ModelFacts): ModelPort {
    const { egress, values, policy = { mode: 'any' } } = options
    requireKey(values, provider)
    const shared = { egress, clock, policy, model, contextWindow: facts.context_window }
    if (provider === 'openai') {
      const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = values
      return createOpenAiModel({ ...shared, apiKey, baseUrl })
    }
    const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl } = values
    return createAnthropicModel({ ...shared, apiKey, baseUrl, maxTokens: facts.max_output })
  }
}

/** Whether a provider can be asked: by a key, or at an address of one's own. */
export function canAsk(values: SettingsValues, provider: ProviderName): boolean {
  if (provider === 'demo') return true
  if (provider === 'openai') {
    return values.OPENAI_API_KEY !== undefined || values.OPENAI_BASE_URL !== openAiUrl
  }
  return values.ANTHROPIC_API_KEY !== undefined || values.ANTHROPIC_BASE_URL !== anthropicUrl
}

function requireKey(values: SettingsValues, provider: ProviderName): void {
  if (canAsk(values, provider)) return
  const variable = `${provider.toUpperCase()}_API_KEY`
  throw new AppError('config_invalid', `The provider ${provider} needs a key: set ${variable}.`, {
    data: { variable },
  })
}
