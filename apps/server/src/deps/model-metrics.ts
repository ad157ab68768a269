import type { ModelCallEnd } from '@dataagent/core'
import { Counter, Histogram, type Registry } from 'prom-client'
import { createBoundedNames } from './bounded-names.ts'

/** Models come from the configuration and from tenants' administrators: not without end. */
const maxModels = 100
const callBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300]
const firstBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 40, 60]

/** Counts calls of models and their tokens, after OpenTelemetry's `gen_ai.client.*`. */
export function createModelMetrics(registers: Registry[]): (call: ModelCallEnd) => void {
  const nameOf = createBoundedNames(maxModels)
  const calls = new Counter({
    name: 'dataagent_model_calls_total',
    help: 'Calls of models that ended, by model and status: ok, or the code of what went wrong',
    labelNames: ['model', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'dataagent_model_call_duration_seconds',
    help: 'How long calls of models took, by model',
    labelNames: ['model'],
    buckets: callBuckets,
    registers,
  })
  const first = new Histogram({
    name: 'dataagent_model_first_chunk_seconds',
    help: 'How long models took until the first of their answer, by model',
    labelNames: ['model'],
    buckets: firstBuckets,
    registers,
  })
  const tokens = new Counter({
    name: 'dataagent_model_tokens_total',
    help: 'Tokens as providers counted them, by model and type: input (cached ones too), output, cached',
    labelNames: ['model', 'type'],
    registers,
  })
  return ({ model: name, status, seconds, firstSeconds, usage }) => {
    const model = nameOf(name)
    calls.inc({ model, status })
    duration.observe({ model }, seconds)
    if (firstSeconds !== undefined) first.observe({ model }, firstSeconds)
    tokens.inc({ model, type: 'input' }, toCount(usage?.prompt_tokens))
    tokens.inc({ model, type: 'output' }, toCount(usage?.completion_tokens))
    tokens.inc({ model, type: 'cached' }, toCount(usage?.cached_tokens))
  }
}

/** What a provider counts may be no count. */
function toCount(tokens: number | undefined): number {
  return Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? Number(tokens) : 0
}
