import { type Clock, systemClock } from '@dataagent/guard'
import { AppError, type ErrorCode, isAppError } from '@dataagent/schema'
import type { ModelDelta, ModelPort, ModelRequest } from '../contract.ts'

export interface FallbackOptions {
  clock?: Clock | undefined
  /** How long a model that failed is asked only after the others. Default 30,000. */
  restMs?: number | undefined
}

/** What another model would not do better. */
const own: ReadonlySet<ErrorCode> = new Set(['invalid_request', 'too_large', 'cancelled'])

/**
 * The first of `models` that answers. Where it is not the first of all, the delta `model` names it.
 * Fails as the last of those asked; its data says which were.
 */
export function withFallback(
  models: readonly ModelPort[],
  options: FallbackOptions = {},
): ModelPort {
  const { clock = systemClock, restMs = 30_000 } = options
  const [first] = models
  if (first === undefined) throw new AppError('config_invalid', 'A fallback needs a model.')
  const restsUntil = new Map<ModelPort, number>()

  return {
    name: first.name,
    contextWindow: Math.min(...models.map(({ contextWindow }) => contextWindow)),
    callsTools: models.every(({ callsTools }) => callsTools),
    stream: askInTurn,
  }

  async function* askInTurn(request: ModelRequest, signal: AbortSignal | undefined) {
    const tried: string[] = []
    const order = inOrder()
    for (const model of order) {
      let hasGiven = false
      try {
        for await (const batch of model.stream(request, signal)) {
          yield hasGiven || model === first
            ? batch
            : ([{ type: 'model', name: model.name }, ...batch] as ModelDelta[])
          hasGiven = true
        }
        restsUntil.delete(model)
        return
      } catch (error) {
        tried.push(model.name)
        if (!isOut(error) || signal?.aborted) throw error
        restsUntil.set(model, clock.monotonic() + restMs)
        if (model === order.at(-1)) throw withTried(error, tried)
      }
      if (hasGiven) yield [{ type: 'restart' } as const]
    }
  }

  function inOrder(): readonly ModelPort[] {
    if (restsUntil.size === 0) return models
    const now = clock.monotonic()
    const isResting = (model: ModelPort) => (restsUntil.get(model) ?? 0) > now
    return [...models.filter((m) => !isResting(m)), ...models.filter(isResting)]
  }
}

function isOut(error: unknown): error is AppError {
  return isAppError(error) && !own.has(error.code)
}

function withTried(error: AppError, tried: readonly string[]): AppError {
  if (tried.length === 1) return error
  const message = `None of ${tried.join(', ')} answered. ${error.message}`
  return new AppError(error.code, message, { data: { ...error.data, tried }, cause: error })
}
