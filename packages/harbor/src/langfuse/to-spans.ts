import { createHash } from 'node:crypto'
import {
  type Asked,
  toAnswer,
  toExample,
  toSpan,
  toToolSpans,
  toTrialMetadata,
} from '../sinks/index.ts'

/** Where an asking is kept in Langfuse. */
export interface TracePlace {
  run_id: string
  traceId: string
  /** Undefined where the dataset has no such question. */
  experiment: { id: string; name: string; datasetId: string; itemId: string } | undefined
}

export interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: 1
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: AttributeValue }[]
  status: { code: 0 | 2; message?: string }
}

type AttributeValue =
  | { stringValue: string }
  | { arrayValue: { values: { stringValue: string }[] } }

/** Hex of so many bytes that stands for `names`. */
export function toHex(bytes: number, ...names: (string | number)[]): string {
  return createHash('sha256')
    .update(JSON.stringify(names))
    .digest('hex')
    .slice(0, bytes * 2)
}

export function toRootSpanId(traceId: string): string {
  return toHex(8, traceId)
}

/** One asking as spans of OTLP, with the attributes that Langfuse reads. */
export function toSpans(asked: Asked, place: TracePlace): OtlpSpan[] {
  const { question, trial } = asked
  const { traceId } = place
  const span = toSpan(question, trial)
  const rootId = toRootSpanId(traceId)
  const root: OtlpSpan = {
    ...{ traceId, spanId: rootId, name: span.name, kind: 1, ...toTimes(span) },
    attributes: toAttributes(toRootAttributes(asked, place)),
    status: trial.failure ? { code: 2, message: trial.failure.message } : { code: 0 },
  }
  const inside = [
    ...(trial.model === null ? [] : [{ ...span, name: trial.model, ...toUsage(asked) }]),
    ...toToolSpans(span, trial).map((tool) => ({
      ...tool,
      type: 'tool',
      level: tool.status === 'error' ? 'ERROR' : 'DEFAULT',
      details: {},
    })),
  ]
  const children = inside.map(({ name, start, end, type, level, details }, at): OtlpSpan => {
    const attributes = { ...toObservation(type, level), ...toTraceAttributes(asked), ...details }
    return {
      ...{ traceId, spanId: toHex(8, traceId, at), parentSpanId: rootId, name, kind: 1 },
      ...toTimes({ start, end }),
      attributes: toAttributes(attributes),
      status: { code: level === 'ERROR' ? 2 : 0 },
    }
  })
  return [root, ...children]
}

function toRootAttributes(asked: Asked, place: TracePlace): Attributes {
  const { question, trial } = asked
  const { experiment, run_id } = place
  const input = JSON.stringify({ question: question.question })
  const output = JSON.stringify({ answer: toAnswer(trial) })
  const metadata = Object.entries({ ...toTrialMetadata(question, trial), run_id })
  return {
    ...toObservation('agent', trial.failure ? 'ERROR' : 'DEFAULT'),
    ...toTraceAttributes(asked),
    'langfuse.trace.input': input,
    'langfuse.trace.output': output,
    'langfuse.observation.input': input,
    'langfuse.observation.output': output,
    'langfuse.observation.status_message': trial.failure?.message,
    ...Object.fromEntries(
      metadata
        .filter(([, value]) => value !== null)
        .map(([key, value]) => [`langfuse.trace.metadata.${key}`, String(value)]),
    ),
    ...(experiment && {
      'langfuse.experiment.id': experiment.id,
      'langfuse.experiment.name': experiment.name,
      'langfuse.experiment.dataset.id': experiment.datasetId,
      'langfuse.experiment.item.id': experiment.itemId,
      'langfuse.experiment.item.root_observation_id': toRootSpanId(place.traceId),
      'langfuse.experiment.item.expected_output': JSON.stringify(toExample(question).outputs),
    }),
  }
}

type Attributes = Record<string, string | string[] | undefined>

function toTraceAttributes({ question, trial }: Asked): Attributes {
  return {
    'langfuse.trace.name': question.question_id,
    'langfuse.trace.tags': [...question.tags, trial.status],
    'session.id': trial.session_id ?? undefined,
  }
}

function toObservation(type: string, level: string): Attributes {
  return { 'langfuse.observation.type': type, 'langfuse.observation.level': level }
}

/** What the model was given and gave, as one call of it: more is not known of an asking. */
function toUsage({ trial }: Asked): { type: string; level: string; details: Attributes } {
  const { prompt_tokens, completion_tokens, cached_tokens, cost } = trial
  const usage = {
    input: prompt_tokens - Math.min(cached_tokens, prompt_tokens),
    output: completion_tokens,
    cache_read_input_tokens: cached_tokens,
  }
  return {
    type: 'generation',
    level: 'DEFAULT',
    details: {
      'langfuse.observation.model.name': trial.model ?? undefined,
      'langfuse.observation.usage_details': JSON.stringify(usage),
      ...(cost !== null && {
        'langfuse.observation.cost_details': JSON.stringify({ total: cost }),
      }),
    },
  }
}

function toAttributes(attributes: Attributes): OtlpSpan['attributes'] {
  return Object.entries(attributes).flatMap(([key, value]): OtlpSpan['attributes'] => {
    if (value === undefined) return []
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }]
    const values = value.map((one) => ({ stringValue: one }))
    return [{ key, value: { arrayValue: { values } } }]
  })
}

/** Milliseconds with digits after the point, as whole nanoseconds. */
function toTimes({ start, end }: { start: number; end: number }) {
  const toNano = (ms: number) => `${BigInt(Math.round(ms * 1000)) * 1000n}`
  return { startTimeUnixNano: toNano(start), endTimeUnixNano: toNano(end) }
}
