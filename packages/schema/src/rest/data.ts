import { z } from 'zod'
import { dataColumnSchema, dataRowSchema } from '../data/columns.ts'
import { queryRefSchema, queryResultSchema } from '../data/queries.ts'
import {
  dataDefinitionSchema,
  dataQuestionSchema,
  dataSourceSchema,
  dataTableSchema,
  workspaceSourceId,
} from '../data/sources.ts'
import { id, name, timestamp, wholeNumber } from '../scalars.ts'
import { secretString } from '../secret.ts'
import { openPageFields, pageFields, pageQuerySchema, queryFlag } from './page.ts'

/** GET /api/v1/data/sources: those that the caller may ask. */
export const dataSourceListSchema = z.object({ sources: z.array(dataSourceSchema) })
export type DataSourceList = z.infer<typeof dataSourceListSchema>

const path = z
  .string()
  .min(1)
  .max(4_096)
  .meta({ description: "Absolute, on the server's machine; for administrators of the platform" })
const host = z
  .string()
  .regex(/^[^\s/@:]{1,253}$|^[0-9A-Fa-f:.]{2,45}$/, 'expected a name or an address')

const databaseFields = {
  url: secretString
    .meta({ description: '`postgres://user:password@host:port/database`, or the fields below' })
    .exactOptional(),
  host: host.exactOptional(),
  port: z.int().min(1).max(65_535).exactOptional(),
  user: z.string().min(1).max(255).exactOptional(),
  password: secretString.exactOptional(),
  database: z.string().min(1).max(255).exactOptional(),
  ssl: z
    .enum(['off', 'unchecked', 'on'])
    .meta({ description: '`on`: encrypted, its certificate checked; `unchecked`: encrypted' })
    .exactOptional(),
}

/** By `url` alone, or by its parts. */
const isReachable = ({ url, host, user, database, ...rest }: Record<string, unknown>) =>
  url === undefined
    ? host !== undefined && user !== undefined && database !== undefined
    : [host, user, database, rest.port, rest.password, rest.ssl].every((one) => one === undefined)
const unreachable = { error: 'give url alone, or host, user and database' }

/** How a source is reached. It is sealed, and in no answer. */
const dataSourceLocationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('files'), folder: path }),
  z.strictObject({ kind: z.literal('duckdb'), path }),
  z.strictObject({ kind: z.literal('sqlite'), path }),
  z.strictObject({ kind: z.literal('mysql'), ...databaseFields }).refine(isReachable, unreachable),
  z
    .strictObject({ kind: z.literal('postgres'), ...databaseFields })
    .refine(isReachable, unreachable),
])
export type DataSourceLocation = z.infer<typeof dataSourceLocationSchema>
export type DataSourceLocationInput = z.input<typeof dataSourceLocationSchema>

const said = z.string().trim().max(2_000)
const columnNotes = z.strictObject({
  description: said.exactOptional(),
  hidden: z.boolean().exactOptional(),
})

/**
 * GET and PUT /api/v1/data/sources/{source_id}/notes: what administrators say of its tables and
 * columns. Nothing of what is hidden is told or given.
 */
export const dataSourceNotesSchema = z.strictObject({
  tables: z.record(
    z.string().min(1).max(255),
    columnNotes.extend({
      columns: z.record(z.string().min(1).max(255), columnNotes).exactOptional(),
    }),
  ),
})
export type DataSourceNotes = z.infer<typeof dataSourceNotesSchema>

const sourceFields = {
  name: name.refine((given) => given.toLowerCase() !== workspaceSourceId, {
    error: 'workspace names the files of whoever asks',
  }),
  description: said.meta({ description: 'What it holds, for people and for models' }),
  location: dataSourceLocationSchema,
  enabled: z.boolean(),
}

/** POST /api/v1/data/sources */
export const dataSourceCreateSchema = z.strictObject({
  ...sourceFields,
  description: sourceFields.description.default(''),
  enabled: sourceFields.enabled.default(true),
  notes: dataSourceNotesSchema.exactOptional(),
})
export type DataSourceCreate = z.infer<typeof dataSourceCreateSchema>
export type DataSourceCreateInput = z.input<typeof dataSourceCreateSchema>

/** PATCH /api/v1/data/sources/{source_id}: what is absent stays as it is. */
export const dataSourceUpdateSchema = z.strictObject({
  name: sourceFields.name.exactOptional(),
  description: sourceFields.description.exactOptional(),
  location: sourceFields.location
    .meta({ description: 'All of it anew, with its password' })
    .exactOptional(),
  enabled: sourceFields.enabled.exactOptional(),
})
export type DataSourceUpdate = z.infer<typeof dataSourceUpdateSchema>
export type DataSourceUpdateInput = z.input<typeof dataSourceUpdateSchema>

/** GET /api/v1/data/sources/{source_id}/tables */
export const dataTablesQuerySchema = z.strictObject({
  names: z
    .string()
    .max(8_000)
    .meta({ description: 'Only these, separated by commas' })
    .exactOptional(),
  all: queryFlag.meta({ description: 'Also what is hidden, for administrators' }).exactOptional(),
})
export type DataTablesQuery = z.infer<typeof dataTablesQuerySchema>

export const dataTableListSchema = z.object({ tables: z.array(dataTableSchema) })
export type DataTableList = z.infer<typeof dataTableListSchema>

/** GET /api/v1/data/definitions: those of the tenant, by term. */
export const dataDefinitionListSchema = z.object({ definitions: z.array(dataDefinitionSchema) })
export type DataDefinitionList = z.infer<typeof dataDefinitionListSchema>

const definition = dataDefinitionSchema.shape

/** PUT /api/v1/data/definitions/{definition_id}: adds it, or puts it in the place of that one. */
export const dataDefinitionUpdateSchema = z.strictObject({
  source_id: definition.source_id.default(null),
  term: definition.term,
  meaning: definition.meaning,
})
export type DataDefinitionUpdate = z.input<typeof dataDefinitionUpdateSchema>

/** GET /api/v1/data/questions: the verified ones of the tenant and one's own, the newest first. */
export const dataQuestionsQuerySchema = pageQuerySchema.extend({
  source_id: id.exactOptional(),
  verified: queryFlag.exactOptional(),
})
export type DataQuestionsQuery = z.infer<typeof dataQuestionsQuerySchema>

export const dataQuestionsPageSchema = z.object({
  questions: z.array(dataQuestionSchema),
  ...pageFields,
})
export type DataQuestionsPage = z.infer<typeof dataQuestionsPageSchema>

const question = dataQuestionSchema.shape

/** PUT /api/v1/data/questions/{question_id}: adds it, or puts it in the place of that one. */
export const dataQuestionUpdateSchema = z.strictObject({
  source_id: question.source_id,
  question: question.question,
  also: question.also.default([]),
  note: question.note.meta({ description: 'What to keep in mind about it' }),
  sql: question.sql,
  verified: question.verified
    .meta({ description: 'For all of the tenant; said by administrators' })
    .default(false),
})
export type DataQuestionUpdate = z.input<typeof dataQuestionUpdateSchema>

const asked = {
  session_id: id
    .meta({ description: 'Whose query it becomes: the next number of that session' })
    .exactOptional(),
  limit: z.int().min(1).max(1_000).meta({ description: 'Rows of the answer' }).default(50),
}

/** POST /api/v1/data/questions/{question_id}/run */
export const dataQuestionRunRequestSchema = z.strictObject(asked)
export type DataQuestionRunRequest = z.input<typeof dataQuestionRunRequestSchema>

/** POST /api/v1/data/queries: runs one statement that reads. */
export const dataQueryCreateSchema = z.strictObject({
  source: z.string().min(1).max(200).meta({ description: 'Its id or name' }),
  sql: z.string().min(1).max(20_000),
  purpose: z.string().max(300).exactOptional(),
  ...asked,
})
export type DataQueryCreate = z.input<typeof dataQueryCreateSchema>

/** GET /api/v1/sessions/{session_id}/queries */
export const dataQueriesQuerySchema = pageQuerySchema.extend({
  brief: queryFlag.meta({ description: 'Without their first rows' }).exactOptional(),
})
export type DataQueriesQuery = z.infer<typeof dataQueriesQuerySchema>

/** Those that gave rows, in their order. */
export const dataQueriesPageSchema = z.object({
  queries: z.array(queryResultSchema),
  ...pageFields,
})
export type DataQueriesPage = z.infer<typeof dataQueriesPageSchema>

/** A query as the log tells it: without what it gave. */
export const dataQueryEntrySchema = queryResultSchema
  .pick({ query_id: true, source_id: true, source_name: true, elapsed_ms: true })
  .extend({
    sql: queryResultSchema.shape.sql
      .nullable()
      .meta({ description: "Of another person's own files it is not told" }),
    ref: queryRefSchema,
    user_id: id,
    session_id: id.nullable(),
    purpose: z.string().nullable(),
    row_count: wholeNumber.nullable(),
    as_of: timestamp,
    error: z.string().nullable().meta({ description: 'Why it gave nothing' }),
    verified_question_id: id.nullable(),
  })
export type DataQueryEntry = z.infer<typeof dataQueryEntrySchema>

/** GET /api/v1/data/queries: what was asked in the tenant, the newest first. */
export const dataQueryLogQuerySchema = pageQuerySchema.extend({
  user_id: id.exactOptional(),
  source_id: id.exactOptional(),
})
export type DataQueryLogQuery = z.infer<typeof dataQueryLogQuerySchema>

export const dataQueryLogPageSchema = z.object({
  queries: z.array(dataQueryEntrySchema),
  ...openPageFields,
})
export type DataQueryLogPage = z.infer<typeof dataQueryLogPageSchema>

/** GET /api/v1/data/queries/{query_id}/rows */
export const dataRowsQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
  offset: z.coerce.number().int().min(0).default(0),
})
export type DataRowsQuery = z.infer<typeof dataRowsQuerySchema>

/** `total` counts the rows that are kept, `row_count` those of the whole result. */
export const dataRowsPageSchema = z.object({
  columns: z.array(dataColumnSchema),
  rows: z.array(dataRowSchema),
  row_count: wholeNumber.nullable(),
  ...pageFields,
})
export type DataRowsPage = z.infer<typeof dataRowsPageSchema>

/** GET /api/v1/data/queries/{query_id}/plan: as the source tells it, each in its own columns. */
export const dataPlanSchema = z.object({
  columns: z.array(dataColumnSchema),
  rows: z.array(dataRowSchema),
})
export type DataPlan = z.infer<typeof dataPlanSchema>

/** GET /api/v1/data/queries/{query_id}/export */
export const dataExportQuerySchema = z.strictObject({
  format: z.enum(['csv', 'xlsx']).default('csv'),
})
export type DataExportQuery = z.infer<typeof dataExportQuerySchema>

/** GET /api/v1/data/queries/{query_id}/chart.svg */
export const dataChartQuerySchema = z.strictObject({
  spec: z.string().min(2).max(8_000).meta({ description: 'A chart (ChartSpec), as JSON' }),
  language: z.enum(['en', 'zh']).default('en'),
  theme: z.enum(['light', 'dark']).default('light'),
})
export type DataChartQuery = z.infer<typeof dataChartQuerySchema>
