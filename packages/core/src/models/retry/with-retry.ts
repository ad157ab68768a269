import { type Clock, systemClock, wait } from '@dataagent/guard'
import { AppError, type ErrorCode, isAppError } from '@dataagent/schema'
import type { ModelDelta, ModelPort, ModelRequest } from '../contract.ts'
import type { RetryBudget } from './retry-budget.ts'

export interface RetryOptions {
  /** Shared by all that ask the same provider. */
  budget: RetryBudget
  clock?: Clock | undefined
  /** Of one request, the first included. Default 3. */
  maxAttempts?: number | undefined
  /** How often an answer may begin anew of which something was given already. Default 1. */
  maxRestarts?: number | undefined
  /** The first pause; each further one is twice as long. Default 500. */
  firstMs?: number | undefined
  /** The longest pause; who asks to be left alone for longer is not asked again. Default 20,000. */
  maxMs?: number | undefined
  random?: (() => number) | undefined
}

/** What may pass by itself. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'rate_limited',
  'timeout',
  'unavailable',
  'upstream_failed',
])

/**
 * `model`, asked again where it fails in a way that may pass: too many requests, a server's fault,
 * the network, an answer cut or garbled. What was given of such an answer is void: `restart`.
 */
export function withRetry(model: ModelPort, options: RetryOptions): ModelPort {
  return { ...model, stream: (request, signal) => ask(model, { request, signal, ...options }) }
}

interface Asking extends RetryOptions {
  request: ModelRequest
  signal: AbortSignal | undefined
}

async function* ask(model: ModelPort, asking: Asking): AsyncGenerator<readonly ModelDelta[]> {
  const { request, signal, budget, clock = systemClock, maxRestarts = 1 } = asking
  let restarts = 0
  for (let attempt = 1; ; attempt += 1) {
    let hasGiven = false
    try {
      for await (const batch of model.stream(request, signal)) {
        hasGiven = true
        yield batch
      }
      budget.earn()
      return
    } catch (error) {
      if (hasGiven) restarts += 1
      const pause = restarts > maxRestarts ? undefined : toPause(error, attempt, asking)
      if (pause === undefined) throw error
      await wait(clock, pause, signal)
      if (signal?.aborted) throw toCancelled(model, signal)
    }
    if (hasGiven) yield [{ type: 'restart' }]
  }
}

/** How long to wait before the next attempt; undefined where there shall be none. */
function toPause(error: unknown, attempt: number, asking: Asking): number | undefined {
  const { budget, signal, maxAttempts = 3, random = Math.random } = asking
  const { firstMs = 500, maxMs = 20_000 } = asking
  if (!isAppError(error) || !passing.has(error.code)) return undefined
  const asked = Number(error.data?.retry_after_ms ?? 0)
  const isLast = attempt >= maxAttempts || signal?.aborted === true || asked > maxMs
  if (isLast || !budget.take()) return undefined
  const backoff = Math.min(maxMs, firstMs * 2 ** (attempt - 1)) * (1 - random() / 2)
  // Those told the same time do not all come back in the same moment.
  return Math.max(backoff, asked + (asked * random()) / 10)
}

function toCancelled({ name }: ModelPort, { reason }: AbortSignal): AppError {
  const message = `The request to ${name} was cancelled.`
  return new AppError('cancelled', message, { data: { model: name }, cause: reason })
}
