import { isDeepStrictEqual } from 'node:util'
import type { Question, Trial } from '@dataagent/schema'

/** A question as a service keeps it. */
export interface Example {
  inputs: { question: string }
  outputs: Pick<
    Question,
    'expected_keywords' | 'expected_pattern' | 'expected_tools' | 'expected_sql'
  >
  metadata: Pick<Question, 'question_id' | 'category' | 'difficulty' | 'tags'>
}

export function toExample(question: Question): Example {
  const { expected_keywords, expected_pattern, expected_tools, expected_sql } = question
  const { question_id, category, difficulty, tags } = question
  return {
    inputs: { question: question.question },
    outputs: { expected_keywords, expected_pattern, expected_tools, expected_sql },
    metadata: { question_id, category, difficulty, tags },
  }
}

/** Whether what a service keeps is `example`, whatever else it has added. */
export function isSame(
  example: Example,
  kept: { inputs: unknown; outputs: unknown; metadata: unknown },
): boolean {
  return (['inputs', 'outputs', 'metadata'] as const).every((part) => {
    const found = (kept[part] ?? {}) as Record<string, unknown>
    return Object.entries(example[part]).every(([key, value]) =>
      isDeepStrictEqual(found[key] ?? null, value),
    )
  })
}

/** What is said about an asking beside its question and its answer. */
export function toTrialMetadata(question: Question, trial: Trial): Record<string, unknown> {
  return {
    question_id: question.question_id,
    category: question.category,
    difficulty: question.difficulty,
    status: trial.status,
    /** In seconds. */
    response_time: trial.total_ms / 1000,
    late_seconds: trial.late_ms / 1000,
    attempt: trial.attempt,
    trial_id: trial.trial_id,
    session_id: trial.session_id,
    failure_kind: trial.failure?.kind ?? null,
    model: trial.model,
    prompt_tokens: trial.prompt_tokens,
    completion_tokens: trial.completion_tokens,
    cached_tokens: trial.cached_tokens,
    cost: trial.cost,
  }
}

/** Longer answers are cut: services refuse requests of some megabytes. */
const longestAnswer = 50_000

export function toAnswer({ answer }: Trial): string {
  return answer.length > longestAnswer ? `${answer.slice(0, longestAnswer)}…` : answer
}

/** A part of an asking, as it lay in time. */
export interface Span {
  name: string
  start: number
  end: number
}

export function toSpan(question: Question, trial: Trial): Span {
  const { started_at, total_ms, late_ms } = trial
  const end = started_at + Math.max(0, total_ms - late_ms)
  return { name: question.question_id, start: started_at, end }
}

/**
 * A trial's tools, none beyond its end. Where it is not known when one began, it is laid after the
 * one before it.
 */
export function toToolSpans(
  { start, end }: Span,
  { tools }: Trial,
): (Span & { status: Trial['tools'][number]['status'] })[] {
  let at = start
  return tools.map(({ name, status, ms, at_ms }) => {
    const begun = at_ms === undefined ? at : Math.min(end, start + at_ms)
    at = Math.min(end, begun + (ms ?? 0))
    return { name, status, start: begun, end: at }
  })
}

/** A judgement of an asking: 0 or 1 with a reason, or a word. */
export interface Score {
  key: string
  value: number | string
  comment: string | null
}

export function toScores(trial: Trial): Score[] {
  const passed = trial.status === 'passed' ? 1 : 0
  return [
    { key: 'passed', value: passed, comment: trial.failure?.message ?? null },
    { key: 'status', value: trial.status, comment: null },
    ...trial.checks.map(({ name, passed, message }) => ({
      key: `check_${name}`,
      value: passed ? 1 : 0,
      comment: message === '' ? null : message,
    })),
  ]
}
