import { type ModelPort, type ModelPrice, type Settings, withFallback } from '@dataagent/core'
import { AppError, isAppError } from '@dataagent/schema'
import type { ModelChoice } from './contract.ts'
import type { OpenedProvider } from './opened-provider.ts'

/** The part of the settings that agents are made with, as it is for one tenant. */
export interface TenantModels
  extends Pick<Settings, 'values' | 'model' | 'createModel' | 'priceOf'> {
  choices(): ModelChoice[]
}

/**
 * The models of a tenant: of its own providers, of the platform's, then of the environment.
 * `providers` has those of the tenant first; of two with one id the first counts.
 */
function createTenantModels(
  settings: Settings,
  providers: readonly OpenedProvider[],
): TenantModels {
  const byId = new Map(providers.toReversed().map((one) => [one.row.provider_id, one]))
  const usable = providers.filter((one) => byId.get(one.row.provider_id) === one && one.row.enabled)

  function find(name: string): { provider: OpenedProvider; model: string } | undefined {
    const [start = '', ...rest] = name.trim().split(':')
    const provider = byId.get(start)
    return provider && { provider, model: rest.join(':') }
  }

  function createOne(name: string): ModelPort {
    const found = find(name)
    if (found !== undefined && found.model !== '') return found.provider.createModel(found.model)
    try {
      return settings.createModel(name)
    } catch (error) {
      throw namingAll(error, [...byId.keys()])
    }
  }

  function createModel(list: string = chooseDefault()): ModelPort {
    const models = list.split(',').map((name) => createOne(name.trim()))
    return models.length === 1 ? (models[0] as ModelPort) : withFallback(models)
  }

  function canMake(list: string): boolean {
    try {
      return createModel(list) !== undefined
    } catch {
      return false
    }
  }

  /** What the environment names, else the first that someone has added, else its usual one. */
  function chooseDefault(): string {
    const named = settings.values.DATAAGENT_MODEL
    if (named !== undefined && canMake(named)) return named
    return usable.flatMap(namesOf).find(canMake) ?? settings.model
  }

  function priceOf(name: string): ModelPrice | undefined {
    const found = find(name)
    return found ? found.provider.priceOf(found.model) : settings.priceOf(name)
  }

  const model = chooseDefault()

  return {
    ...{ values: settings.values, model, createModel, priceOf },
    choices() {
      const added = usable.flatMap(namesOf)
      const all = [...new Set([...namesIn(model), ...added, ...ofEnvironment(settings)])]
      return all.filter(canMake).map((name) => toChoice(name, name === namesIn(model)[0]))
    },
  }
}

/** The models of each tenant, made again where its providers have changed. */
export function createModelsOf(
  settings: Settings,
  providersOf: (tenant_id: string) => readonly OpenedProvider[],
): (tenant_id: string) => TenantModels {
  const kept = new Map<string, { providers: readonly OpenedProvider[]; models: TenantModels }>()

  return (tenant_id) => {
    const providers = providersOf(tenant_id)
    const held = kept.get(tenant_id)
    const isSame =
      held?.providers.length === providers.length &&
      held.providers.every((one, at) => one === providers[at])
    if (isSame) return held.models
    const models = createTenantModels(settings, providers)
    kept.set(tenant_id, { providers, models })
    return models
  }
}

/** Who names a provider that there is not is told also of those that were added. */
function namingAll(error: unknown, added: string[]): unknown {
  if (!isAppError(error, 'config_invalid') || added.length === 0) return error
  const { providers } = error.data ?? {}
  if (!Array.isArray(providers)) return error
  const message = `${error.message.replace(/\.$/, '')}, ${added.join(', ')}.`
  return new AppError(error.code, message, { data: { providers: [...providers, ...added] } })
}

function namesOf({ row }: OpenedProvider): string[] {
  return row.models.map((model) => `${row.provider_id}:${model}`)
}

function namesIn(list: string): string[] {
  return list.split(',').map((name) => name.trim())
}

/** The demo model is no choice where there is a real one. */
function ofEnvironment({ model, modelNotice }: Settings): string[] {
  return modelNotice === undefined ? namesIn(model) : []
}

function toChoice(model: string, is_default: boolean): ModelChoice {
  const [provider_id = '', ...rest] = model.split(':')
  return { model, provider_id, name: rest.join(':') || provider_id, is_default }
}
