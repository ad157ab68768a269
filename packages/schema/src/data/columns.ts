import { z } from 'zod'
import { openObject } from '../open-object.ts'

/** What the values of a column are, whatever its database calls them. */
export const columnKindSchema = z.enum([
  ...(['integer', 'decimal', 'float', 'boolean', 'text'] as const),
  ...(['date', 'timestamp', 'time', 'json', 'bytes', 'other'] as const),
])
export type ColumnKind = z.infer<typeof columnKindSchema>

export const dataColumnSchema = openObject({
  name: z.string(),
  /** As the database says it: `DECIMAL(18,2)`. */
  type: z.string(),
  kind: columnKindSchema,
})
export type DataColumn = z.infer<typeof dataColumnSchema>

/**
 * A value of a result. Numbers that a double cannot hold exactly (large integers, decimals) are
 * strings of digits; dates and times are ISO 8601; bytes are hexadecimal.
 */
export const dataValueSchema = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type DataValue = z.infer<typeof dataValueSchema>

export const dataRowSchema = z.array(dataValueSchema)
export type DataRow = z.infer<typeof dataRowSchema>
