import { z } from 'zod'
import {
  questionSchema,
  trialCountsSchema,
  trialSchema,
  trialStatusSchema,
} from '../evaluations.ts'
import { id, name, timestamp, wholeNumber } from '../scalars.ts'
import { pageFields, pageQuerySchema, queryFlag } from './page.ts'

/** What a dataset, and with it a run, may hold at the most. */
export const datasetQuestionsMax = 2_000

const questions = z
  .array(questionSchema)
  .min(1)
  .max(datasetQuestionsMax)
  .refine((all) => new Set(all.map(({ question_id }) => question_id)).size === all.length, {
    error: 'two questions have the same question_id',
  })

/** A set of questions, as it is listed. `user_id` is who made it. */
export const datasetInfoSchema = z.object({
  dataset_id: id,
  name,
  user_id: id,
  question_count: wholeNumber,
  created_at: timestamp,
  updated_at: timestamp,
})
export type DatasetInfo = z.infer<typeof datasetInfoSchema>

export const datasetSchema = datasetInfoSchema.extend({ questions: z.array(questionSchema) })
export type Dataset = z.infer<typeof datasetSchema>

/** GET /api/v1/evaluations/datasets: those of the tenant, by name. */
export const datasetsPageSchema = z.object({ datasets: z.array(datasetInfoSchema), ...pageFields })
export type DatasetsPage = z.infer<typeof datasetsPageSchema>

/** POST /api/v1/evaluations/datasets */
export const datasetCreateSchema = z.strictObject({ name, questions })
export type DatasetCreate = z.input<typeof datasetCreateSchema>

/** PUT /api/v1/evaluations/datasets/{dataset_id}: all of it anew. */
export const datasetUpdateSchema = datasetCreateSchema.extend({
  updated_at: timestamp
    .meta({ description: 'As it was read: 409 where someone has changed it since' })
    .exactOptional(),
})
export type DatasetUpdate = z.input<typeof datasetUpdateSchema>

export const questionsFormatSchema = z.enum(['json', 'jsonl', 'yaml', 'promptfoo'])
export type QuestionsFormat = z.infer<typeof questionsFormatSchema>

/** POST /api/v1/evaluations/datasets/import: a file, as text. Without `format` it is found out. */
export const datasetImportSchema = z.strictObject({
  name: name.exactOptional(),
  text: z.string().min(1),
  format: questionsFormatSchema.exactOptional(),
})
export type DatasetImport = z.infer<typeof datasetImportSchema>

/** `interrupted`: its process has stopped or died; it can be resumed. */
export const evaluationStateSchema = z.enum([
  'queued',
  'running',
  'done',
  'interrupted',
  'cancelled',
  'error',
])
export type EvaluationState = z.infer<typeof evaluationStateSchema>

const label = z.string().min(1).max(191)
const sqlSource = z
  .string()
  .min(1)
  .max(200)
  .nullable()
  .meta({ description: 'The source of data that `expected_sql` is run on' })

/** How questions of a dataset are put. */
const runSettingsSchema = z.strictObject({
  assistant_id: id.nullable(),
  concurrency: z.int().min(1).max(20),
  attempts: z.int().min(1).max(20),
  max_seconds: z.number().positive().max(3_600),
  baseline_run_id: id.nullable(),
  tags: z.array(label).max(50),
  categories: z.array(label).max(50),
  /** Absent of older runs. */
  sql_source: sqlSource.exactOptional(),
})

/** POST /api/v1/evaluations/runs. With `tags` or `categories` only questions that have one. */
export const evaluationRunCreateSchema = runSettingsSchema
  .extend({
    assistant_id: id.nullable().default(null),
    concurrency: runSettingsSchema.shape.concurrency.default(4),
    attempts: runSettingsSchema.shape.attempts.default(1),
    max_seconds: runSettingsSchema.shape.max_seconds
      .meta({ description: 'For questions that have none of their own' })
      .default(120),
    baseline_run_id: id.nullable().default(null),
    tags: runSettingsSchema.shape.tags.default([]),
    categories: runSettingsSchema.shape.categories.default([]),
    sql_source: sqlSource
      .meta({ description: 'The source of data, by id or name, that `expected_sql` is run on' })
      .default(null),
  })
  .extend({ dataset_id: id })
export type EvaluationRunCreate = z.input<typeof evaluationRunCreateSchema>

/** A run of a dataset, as it is listed. `planned` is how many trials it is to have. */
export const evaluationRunInfoSchema = z.object({
  run_id: id,
  dataset_id: id.nullable(),
  name: z.string(),
  user_id: id,
  /** `upload`: a report that `dataagent harbor run` made elsewhere. */
  source: z.enum(['platform', 'upload']),
  state: evaluationStateSchema,
  /** Null of an uploaded one. */
  settings: runSettingsSchema.nullable(),
  question_count: wholeNumber,
  planned: wholeNumber,
  counts: trialCountsSchema,
  created_at: timestamp,
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
})
export type EvaluationRunInfo = z.infer<typeof evaluationRunInfoSchema>
export type EvaluationRunSettings = z.infer<typeof runSettingsSchema>

/** GET /api/v1/evaluations/runs/{run_id}: how it stands. */
export const evaluationRunSchema = evaluationRunInfoSchema.extend({
  questions: z.array(
    z.object({
      question_id: id,
      question: z.string().meta({ description: 'Its beginning' }),
      category: z.string().nullable(),
      difficulty: z.string().nullable(),
      /** Of the newest trial; null before there is one. */
      status: trialStatusSchema.nullable(),
      asked: wholeNumber,
    }),
  ),
})
export type EvaluationRun = z.infer<typeof evaluationRunSchema>

/** GET /api/v1/evaluations/runs; `all`: also those of others, for administrators and auditors. */
export const evaluationRunsQuerySchema = pageQuerySchema.extend({
  dataset_id: id.exactOptional(),
  user_id: id.exactOptional(),
  all: queryFlag.exactOptional(),
})
export type EvaluationRunsQuery = z.infer<typeof evaluationRunsQuerySchema>

export const evaluationRunsPageSchema = z.object({
  runs: z.array(evaluationRunInfoSchema),
  ...pageFields,
})
export type EvaluationRunsPage = z.infer<typeof evaluationRunsPageSchema>

/** GET /api/v1/evaluations/runs/{run_id}/trials: as they ended. */
export const trialsQuerySchema = pageQuerySchema.extend({
  status: trialStatusSchema.exactOptional(),
  question_id: id.exactOptional(),
})
export type TrialsQuery = z.infer<typeof trialsQuerySchema>

export const trialsPageSchema = z.object({ trials: z.array(trialSchema), ...pageFields })
export type TrialsPage = z.infer<typeof trialsPageSchema>

/** GET /api/v1/evaluations/runs/{run_id}/report; `lang` is that of the HTML. */
export const reportQuerySchema = z.strictObject({
  format: z.enum(['json', 'html', 'junit']).default('json'),
  lang: z.enum(['en', 'zh']).default('en'),
})
export type ReportQuery = z.infer<typeof reportQuerySchema>

/** GET …/comparison; without `baseline` it is beside that of the run. */
export const comparisonQuerySchema = z.strictObject({ baseline: id.exactOptional() })
export type ComparisonQuery = z.infer<typeof comparisonQuerySchema>
