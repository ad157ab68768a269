import { z } from 'zod'
import { openObject } from '../open-object.ts'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { dataColumnSchema } from './columns.ts'

/** `files`: tables made of CSV, TSV, JSON, Parquet and Excel files in a folder. */
export const sourceKindSchema = z.enum(['files', 'duckdb', 'sqlite', 'mysql', 'postgres'])
export type SourceKind = z.infer<typeof sourceKindSchema>

/** The source that is the files of whoever asks, which nobody else sees. */
export const workspaceSourceId = 'workspace'

/** A source as those who may ask it see it: nothing of how it is reached. */
export const dataSourceSchema = openObject({
  source_id: id,
  name: z.string(),
  kind: sourceKindSchema,
  description: z.string(),
  /** Whether everybody of the tenant may ask it, or only administrators. */
  scope: z.enum(['user', 'tenant']),
  enabled: z.boolean(),
  /** What a look at it has found: `read_only` is the role's, as the database tells. */
  status: z.enum(['unknown', 'ok', 'failing']),
  status_text: z.string().exactOptional(),
  read_only: z.boolean().nullable(),
  checked_at: timestamp.exactOptional(),
})
export type DataSource = z.infer<typeof dataSourceSchema>

export const describedColumnSchema = openObject({
  ...dataColumnSchema.shape,
  description: z.string().exactOptional(),
  nullable: z.boolean().exactOptional(),
})
export type DescribedColumn = z.infer<typeof describedColumnSchema>

export const dataTableSchema = openObject({
  name: z.string(),
  description: z.string().exactOptional(),
  row_count: wholeNumber.nullable(),
  columns: z.array(describedColumnSchema),
})
export type DataTable = z.infer<typeof dataTableSchema>

/** What a word of the business means: "revenue = sum of paid amounts without refunds". */
export const dataDefinitionSchema = openObject({
  definition_id: id,
  source_id: id.nullable(),
  term: z.string().min(1).max(100),
  meaning: z.string().min(1).max(2_000),
})
export type DataDefinition = z.infer<typeof dataDefinitionSchema>

/** A question with its query. A verified one was looked at by an administrator. */
export const dataQuestionSchema = openObject({
  question_id: id,
  source_id: id,
  question: z.string().min(1).max(500),
  /** Other ways to ask it, in any language. */
  also: z.array(z.string().min(1).max(500)).max(20),
  /** What whoever saved it says of it. */
  note: z.string().min(1).max(1_000).exactOptional(),
  sql: z.string().min(1).max(20_000),
  verified: z.boolean(),
  owner_user_id: id.nullable(),
  updated_at: timestamp,
})
export type DataQuestion = z.infer<typeof dataQuestionSchema>
