import { type Asked, toAnswer, toSpan, toToolSpans, toTrialMetadata } from '../sinks/index.ts'
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
  run_type: 'chain' | 'tool'
  start_time: string
  end_time: string
  inputs: Record<string, unknown>
  outputs?: Record<string, unknown>
  error?: string
  tags?: string[]
  extra?: { metadata: Record<string, unknown> }
  reference_example_id?: string
}

/** One asking: its run first, then one for each call of a tool. */
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
  return [root, ...tools]
}

function toTimes({ start, end }: { start: number; end: number }) {
  return {
    start_time: new Date(start).toISOString(),
    end_time: new Date(end).toISOString(),
  }
}
