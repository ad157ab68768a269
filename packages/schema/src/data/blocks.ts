import { z } from 'zod'
import { openObject } from '../open-object.ts'
import { id } from '../scalars.ts'
import { chartSpecSchema } from './charts.ts'
import { queryRefSchema, queryResultSchema } from './queries.ts'

/** What a tool shows people beside its words. */
export const resultBlockSchema = z.discriminatedUnion('kind', [
  openObject({ kind: z.literal('query'), query: queryResultSchema }),
  openObject({
    kind: z.literal('chart'),
    query_id: id,
    ref: queryRefSchema,
    chart: chartSpecSchema,
  }),
  openObject({
    kind: z.literal('export'),
    query_id: id,
    ref: queryRefSchema,
    format: z.enum(['csv', 'xlsx', 'parquet']),
    /** In the user's workspace. */
    path: z.string(),
    rows: z.int().min(0),
    bytes: z.int().min(0),
  }),
])
export type ResultBlock = z.infer<typeof resultBlockSchema>

/** A place in a reply, in UTF-16 units from its beginning. */
const spanSchema = openObject({ from: z.int().min(0), to: z.int().min(0), text: z.string() })

/** What a reply's numbers rest on. */
export const citationsSchema = openObject({
  /** Citations of queries that were run in this session. */
  cited: z.array(openObject({ ...spanSchema.shape, ref: queryRefSchema, query_id: id })),
  /** Citations of queries that were not. */
  dangling: z.array(spanSchema),
  /** Numbers that no query of the session has given. */
  uncovered: z.array(spanSchema),
})
export type Citations = z.infer<typeof citationsSchema>
