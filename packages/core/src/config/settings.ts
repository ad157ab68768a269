import type { Clock, Egress, EgressPolicy } from '@dataagent/guard'
import type { ModelPort, ModelPrice } from '../models/index.ts'
import { ensureAgentDir } from './agent-dir.ts'
import { canAsk, createModelMaker } from './model-maker.ts'
import { createModelTable, type ModelTable } from './model-table.ts'
import { type EnvironmentValues, parseSettings, type SettingsValues } from './settings-schema.ts'

export interface SettingsOptions {
  env: EnvironmentValues
  egress: Egress
  /**
   * Where models may be. Default: anywhere, since whoever sets the environment may set a server of
   * the own network.
   */
  policy?: EgressPolicy | undefined
  /** Absolute: where agents' folders are. */
  root: string
  /** What is known of models, over what is built in. */
  models?: ModelTable | undefined
  /** False where models call tools only by their text, whatever is known of them. */
  callsTools?: boolean | undefined
  clock?: Clock | undefined
}

/** What the agent was told by its environment [D6]. */
export interface Settings {
  readonly values: SettingsValues
  /** The model that is used where none is named, as `createModel` takes it. */
  readonly model: string
  /** Said to people where answers come from the demo model. */
  readonly modelNotice: { readonly en: string; readonly zh: string } | undefined
  /** Throws `config_invalid`: an unknown provider, or one without its key. */
  createModel(name?: string): ModelPort
  /** What a model's tokens cost, where that was told. */
  priceOf(name: string): ModelPrice | undefined
  /** Makes the agent's folder where it is not there yet, and gives its path. */
  ensureAgentDir(assistantId: string): Promise<string>
}

const usualModels = { openai: 'openai:gpt-5-mini', anthropic: 'anthropic:claude-sonnet-4-5' }

const demoNotice = Object.freeze({
  en: 'No model key is set: the built-in demo model answers, by rules. Set OPENAI_API_KEY or ANTHROPIC_API_KEY, and DATAAGENT_MODEL (provider:model), to use a real one, or let an administrator add a model provider.',
  zh: '未设置模型密钥：当前由内置的演示模型按规则作答。请设置 OPENAI_API_KEY 或 ANTHROPIC_API_KEY，并用 DATAAGENT_MODEL（provider:model）选择模型；也可由管理员添加模型供应商。',
})

/** Reads the settings. Throws `config_invalid` that names the variable at fault. */
export function createSettings(options: SettingsOptions): Settings {
  const { egress, policy, root, callsTools, clock } = options
  const values = parseSettings(options.env)
  const factsOf = createModelTable(options.models)
  const makeModel = createModelMaker({ values, egress, policy, factsOf, callsTools, clock })
  const provider = (['openai', 'anthropic'] as const).find((one) => canAsk(values, one))
  // Without any key the demo model answers, whatever is named.
  const model = provider === undefined ? 'demo' : (values.DATAAGENT_MODEL ?? usualModels[provider])

  return {
    values,
    model,
    modelNotice: provider === undefined ? demoNotice : undefined,
    createModel: (name = model) => makeModel(name),
    priceOf: (name) => factsOf(name).price,
    ensureAgentDir: (assistantId) => ensureAgentDir(root, assistantId),
  }
}
