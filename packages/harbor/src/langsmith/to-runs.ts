import {
  type Asked,
  type Span,
  toAnswer,
  toSpan,
  toToolSpans,
  toTrialMetadata,
} from '../sinks/index.ts'
import { toDottedOrder, toRunId } from './run-ids.ts'

export interface RunPlace {
  run_id: string
  project_name: string
  /** Of the question; undefined where the dataset has none. */
  example_id: string | undefined
}

/** A run as LangSmith takes it. */
export interface RunRecord {
  id: string
  trace_id: string
  dotted_order: string
  parent_run_id?: string
  project_name: string
  name: string
  run_type: 'chain' | 'llm' | 'tool'
  start_time: string
  end_time: string
  inputs: Record<string, unknown>
  outputs?: Record<string, unknown>
  error?: string
  tags?: string[]
  extra?: { metadata: Record<string, unknown> }
  reference_example_id?: string
}

/** One asking: its run first, then one of the model and one for each call of a tool. */
export function toRuns({ question, trial }: Asked, place: RunPlace): [RunRecord, ...RunRecord[]] {
  const { run_id, project_name, example_id } = place
  const span = toSpan(question, trial)
  const id = toRunId(span.start, run_id, trial.trial_id)
  const dotted_order = toDottedOrder(span.start, id)
  const root: RunRecord = {
    ...{ id, trace_id: id, dotted_order, project_name },
    ...{ name: span.name, run_type: 'chain', ...toTimes(span) },
    inputs: { question: question.question },
    outputs: { answer: toAnswer(trial) },
    ...(trial.failure && { error: `${trial.failure.code}: ${trial.failure.message}` }),
    tags: [...question.tags, trial.status],
    extra: { metadata: { ...toTrialMetadata(question, trial), run_id } },
    ...(example_id !== undefined && { reference_example_id: example_id }),
  }
  const tools = toToolSpans(span, trial).map((tool, at): RunRecord => {
    const toolId = toRunId(tool.start, run_id, trial.trial_id, at)
    return {
      ...{ id: toolId, trace_id: id, parent_run_id: id, project_name },
      dotted_order: toDottedOrder(tool.start, toolId, dotted_order),
      ...{ name: tool.name, run_type: 'tool', ...toTimes(tool), inputs: {} },
      outputs: { status: tool.status },
      ...(tool.status === 'error' && { error: 'The tool failed' }),
    }
  })
  return [root, ...toModelRuns({ question, trial }, { root, span }), ...tools]
}

/** All calls of the model as one: more is not known of an asking. */
function toModelRuns(
  { question, trial }: Asked,
  { root, span }: { root: RunRecord; span: Span },
): RunRecord[] {
  const { model } = trial
  if (model === null) return []
  const id = toRunId(span.start, root.id, 'model')
  return [
    {
      ...{ id, trace_id: root.id, parent_run_id: root.id, project_name: root.project_name },
      dotted_order: toDottedOrder(span.start, id, root.dotted_order),
      ...{ name: model, run_type: 'llm', ...toTimes(span) },
      inputs: { question: question.question },
      outputs: { answer: toAnswer(trial), usage_metadata: toUsage(trial) },
      extra: { metadata: toModelNames(model) },
    },
  ]
}

/** As its table of prices knows them. */
function toModelNames(model: string): Record<string, string> {
  const [, ls_provider, ls_model_name = model] = /^([^:/]+):(.+)$/.exec(model) ?? []
  return { ...(ls_provider !== undefined && { ls_provider }), ls_model_name }
}

function toUsage({ prompt_tokens, completion_tokens, cached_tokens, cost }: Asked['trial']) {
  return {
    ...{ input_tokens: prompt_tokens, output_tokens: completion_tokens },
    total_tokens: prompt_tokens + completion_tokens,
    input_token_details: { cache_read: cached_tokens },
    ...(cost !== null && { total_cost: cost }),
  }
}

function toTimes({ start, end }: { start: number; end: number }) {
  return {
    start_time: new Date(start).toISOString(),
    end_time: new Date(end).toISOString(),
  }
}
