import { z } from 'zod'
import { openObject } from '../open-object.ts'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { dataColumnSchema, dataRowSchema } from './columns.ts'

/** `q1`, `q2` …: how an answer cites a query of its session. */
export const queryRefSchema = z.string().regex(/^q[1-9][0-9]{0,5}$/)

const cited = '[ \\t]*q\\d{1,12}(?:[ \\t]*[,，、;；][ \\t]*q\\d{1,12})*[ \\t]*'

/**
 * How an answer cites queries: `[q1]`, `[q1, q3]` and `【q1】`, also those that were never run. A
 * link `[q1](…)` is a link.
 */
export const citationPattern = new RegExp(`\\[${cited}\\](?!\\()|【${cited}】`, 'g')

/** A query that was run, with the first rows of what it gave. */
export const queryResultSchema = openObject({
  query_id: id,
  ref: queryRefSchema,
  source_id: id,
  source_name: z.string(),
  sql: z.string(),
  purpose: z.string().exactOptional(),
  columns: z.array(dataColumnSchema),
  /** The first rows, as the model reads them. */
  rows: z.array(dataRowSchema),
  /** Of the whole result; null where counting it would have taken too long. */
  row_count: wholeNumber.nullable(),
  /** How many of them are kept for tables, charts and exports. */
  kept_rows: wholeNumber,
  elapsed_ms: wholeNumber,
  /** When it was run: what its numbers are of. */
  as_of: timestamp,
  /** The verified question whose query it is. */
  verified_question_id: id.exactOptional(),
})
export type QueryResult = z.infer<typeof queryResultSchema>
