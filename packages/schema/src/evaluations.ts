import { z } from 'zod'
import { id, timestamp, wholeNumber } from './scalars.ts'

// A report comes from anywhere: what is computed of its numbers is finite, its moments are dates.
const ms = z.number().nonnegative().max(1e12)
const moment = timestamp.max(Date.UTC(9999, 11, 31))
const share = z.number().min(0).max(1)

/** One question of a set, with what a right answer has. */
export const questionSchema = z.strictObject({
  question_id: id,
  question: z.string().min(1).max(200_000),
  /** Each must be in the answer, whatever its case. */
  expected_keywords: z.array(z.string().min(1).max(1_000)).max(100).default([]),
  /** A regular expression that the answer must match somewhere. */
  expected_pattern: z.string().min(1).max(2_000).nullable().default(null),
  /** Each must have been called and have succeeded, in any order. */
  expected_tools: z.array(z.string().min(1).max(200)).max(100).default([]),
  /** Some query of the turn must have given the same rows as this one. */
  expected_sql: z.string().min(1).max(100_000).nullable().default(null),
  category: z.string().min(1).max(191).nullable().default(null),
  difficulty: z.string().min(1).max(191).nullable().default(null),
  tags: z.array(z.string().min(1).max(191)).max(50).default([]),
  /** A later answer is a `timeout`. */
  max_seconds: z.number().positive().max(86_400).nullable().default(null),
})
export type Question = z.infer<typeof questionSchema>

/** Characters of the name of a set. */
export const setNameMax = 1_000

export const trialStatusSchema = z.enum(['passed', 'failed', 'error', 'timeout'])
export type TrialStatus = z.infer<typeof trialStatusSchema>

/**
 * Whose fault it is that a trial has not passed: the agent answered and was wrong, or nothing could
 * be known of its answer.
 */
export const failureKindSchema = z.enum(['capability', 'infrastructure'])
export type FailureKind = z.infer<typeof failureKindSchema>

/** One look at an answer. */
const trialCheckSchema = z.strictObject({
  name: z.enum(['keywords', 'pattern', 'tools', 'sql']),
  passed: z.boolean(),
  /** What was missing, in English. */
  message: z.string(),
})
export type TrialCheck = z.infer<typeof trialCheckSchema>

/** One asking of one question. */
export const trialSchema = z.strictObject({
  trial_id: id,
  question_id: id,
  /** From 1; a question that is asked again has several. */
  attempt: z.int().positive(),
  status: trialStatusSchema,
  failure: z
    .strictObject({ kind: failureKindSchema, code: z.string(), message: z.string() })
    .nullable(),
  checks: z.array(trialCheckSchema),
  matched_keywords: z.array(z.string()),
  answer: z.string(),
  session_id: id.nullable(),
  started_at: moment,
  /**
   * How much later than planned it was begun. Is part of `total_ms`, `first_event_ms` and so on.
   */
  late_ms: ms,
  /** Since it was planned to begin, not since it did: what a user would have waited. */
  first_event_ms: ms.nullable(),
  first_text_ms: ms.nullable(),
  /** What all its tool calls took. */
  tool_ms: ms,
  total_ms: ms,
  tools: z.array(
    z.strictObject({
      ...{ name: z.string(), status: z.enum(['success', 'error']), ms: ms.nullable() },
      /** When it began, since the asking did; absent where nobody can tell. */
      at_ms: ms.optional(),
    }),
  ),
  model: z.string().nullable(),
  prompt_tokens: wholeNumber,
  completion_tokens: wholeNumber,
  cached_tokens: wholeNumber,
  /** Null where the model has no price. */
  cost: z.number().nonnegative().max(1e12).nullable(),
})
export type Trial = z.infer<typeof trialSchema>

/** A share, with the 95 % interval after Wilson. */
const shareEstimateSchema = z.strictObject({ value: share, low: share, high: share })
export type ShareEstimate = z.infer<typeof shareEstimateSchema>

/** Of a histogram that is exact to three digits. All 0 where nothing was counted. */
const timesSchema = z.strictObject({
  count: wholeNumber,
  ...{ mean: ms, min: ms, p50: ms, p90: ms, p95: ms, p99: ms, p999: ms, max: ms },
})
export type Times = z.infer<typeof timesSchema>

export const trialCountsSchema = z.strictObject({
  ...{ total: wholeNumber, passed: wholeNumber, failed: wholeNumber },
  ...{ error: wholeNumber, timeout: wholeNumber },
})
export type TrialCounts = z.infer<typeof trialCountsSchema>

const groupSchema = z.strictObject({
  name: z.string(),
  counts: trialCountsSchema,
  pass_rate: shareEstimateSchema,
  mean_ms: ms,
  p95_ms: ms,
})
export type TrialGroup = z.infer<typeof groupSchema>

/** How questions were put. */
export const loadSchema = z.discriminatedUnion('mode', [
  z.strictObject({
    mode: z.literal('closed'),
    /** Users that each ask again as soon as they are answered. */
    concurrency: z.int().positive(),
    ramp_seconds: z.number().nonnegative(),
    warm_up_seconds: z.number().nonnegative(),
    duration_seconds: z.number().positive().nullable(),
  }),
  z.strictObject({
    mode: z.literal('rate'),
    /** Questions begun in a second, whether or not earlier ones were answered. */
    rate: z.number().positive(),
    concurrency: z.int().positive().describe('Askings under way at the most; more begin late'),
    ramp_seconds: z.number().nonnegative(),
    warm_up_seconds: z.number().nonnegative(),
    duration_seconds: z.number().positive().nullable(),
  }),
])
export type Load = z.infer<typeof loadSchema>

/** What a run of questions came to. Transcripts are kept beside it. */
export const evaluationReportSchema = z.strictObject({
  format: z.literal(1),
  run_id: id,
  /** Of the set of questions. */
  name: z.string().max(setNameMax),
  started_at: moment,
  ended_at: moment,
  /** False where it was interrupted. */
  is_complete: z.boolean(),
  target: z.strictObject({
    url: z.string(),
    transport: z.enum(['rest', 'ws', 'local']),
    assistant_id: z.string().nullable(),
    server_version: z.string().nullable(),
  }),
  load: loadSchema,
  counts: trialCountsSchema,
  failures: z.strictObject({ capability: wholeNumber, infrastructure: wholeNumber }),
  pass_rate: shareEstimateSchema,
  times: z.strictObject({
    ...{ first_event: timesSchema, first_text: timesSchema, tool: timesSchema },
    ...{ total: timesSchema, late: timesSchema },
  }),
  /** Trials that ended in a second, over the measured time. */
  throughput: z.number().nonnegative(),
  prompt_tokens: wholeNumber,
  completion_tokens: wholeNumber,
  cached_tokens: wholeNumber,
  cost: z.number().nonnegative().max(1e12).nullable(),
  by_category: z.array(groupSchema),
  by_difficulty: z.array(groupSchema),
  by_tag: z.array(groupSchema),
  timeline: z
    .array(
      z.strictObject({
        second: wholeNumber,
        ...{ begun: wholeNumber, ended: wholeNumber, not_passed: wholeNumber },
        ...{ under_way: wholeNumber, p50_ms: ms, p99_ms: ms },
      }),
    )
    .max(1_000),
  /** What asking itself took: a share near 1 means that the asker was what was measured. */
  asker: z.strictObject({
    cpu_seconds: z.number().nonnegative(),
    cpu_share: z.number(),
    /** How late its event loop was, at the 99th percentile; null where nobody has measured it. */
    loop_delay_p99_ms: ms.nullable().default(null),
  }),
  questions: z.array(questionSchema),
  trials: z.array(trialSchema),
})
export type EvaluationReport = z.infer<typeof evaluationReportSchema>

/**
 * `better` and `worse` only where chance alone would say so of any figure of a comparison no more
 * than 5 times in 100. So one whose 95 % interval just leaves out 0 may be `within_noise`.
 * `unknown` where one of the runs has no such figure: then what is not known of it is null.
 */
export const verdictSchema = z.enum(['better', 'worse', 'within_noise', 'unknown'])
export type Verdict = z.infer<typeof verdictSchema>

const figure = z.number().nullable()
const differenceSchema = z.strictObject({
  ...{ baseline: figure, current: figure, difference: figure, low: figure, high: figure },
  verdict: verdictSchema,
})
export type Difference = z.infer<typeof differenceSchema>

/** One run beside an earlier one. */
export const comparisonSchema = z.strictObject({
  baseline_run_id: id,
  current_run_id: id,
  pass_rate: differenceSchema,
  /** Milliseconds. */
  mean_total_ms: differenceSchema,
  p50_total_ms: differenceSchema,
  p95_total_ms: differenceSchema,
  mean_first_event_ms: differenceSchema,
  /** The smallest change of the share of passed that so many trials would have shown. */
  smallest_visible_change: share,
  questions: z.array(
    z.strictObject({
      question_id: id,
      question: z.string(),
      baseline: trialStatusSchema.nullable(),
      current: trialStatusSchema.nullable(),
      change: z.enum(['fixed', 'broken', 'same', 'added', 'removed']),
    }),
  ),
})
export type Comparison = z.infer<typeof comparisonSchema>
