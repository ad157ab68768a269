import type { Runtime } from '../middleware/index.ts'
import type { ModelUsage } from '../models/index.ts'
import type { UsageSum } from './run.ts'

const sums = new WeakMap<Runtime, UsageSum>()

/** Lets what middlewares ask of a model count for the run. */
export function countFor(runtime: Runtime, sum: UsageSum): void {
  sums.set(runtime, sum)
}

/** Adds what a middleware's own call of a model cost to its run. */
export function addUsage(usage: ModelUsage, runtime: Runtime): void {
  const sum = sums.get(runtime)
  if (!sum) return
  sum.prompt_tokens += usage.prompt_tokens
  sum.always_prompt_tokens += usage.prompt_tokens
  sum.completion_tokens += usage.completion_tokens
  sum.cached_tokens += usage.cached_tokens ?? 0
}
