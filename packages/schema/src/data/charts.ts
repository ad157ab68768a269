import { z } from 'zod'
import { openObject } from '../open-object.ts'

export const chartTypeSchema = z.enum([
  ...(['number', 'bar', 'line', 'area', 'pie', 'scatter', 'heatmap'] as const),
])
export type ChartType = z.infer<typeof chartTypeSchema>

export const numberFormatSchema = openObject({
  style: z.enum(['plain', 'percent', 'currency', 'compact']),
  /** ISO 4217, where the style is `currency`. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .exactOptional(),
  decimals: z.int().min(0).max(6).exactOptional(),
})
export type NumberFormat = z.infer<typeof numberFormatSchema>

const columnName = z.string().min(1).max(255)

/**
 * A chart as a description of a result: it names columns and holds no point. `x` is the axis of
 * categories or time (of a heat map the one of columns), `y` what is measured; `series` splits one
 * measure by the values of a column (of a heat map its rows).
 */
export const chartSpecSchema = openObject({
  type: chartTypeSchema,
  x: columnName.exactOptional(),
  y: z.array(columnName).min(1).max(12),
  series: columnName.exactOptional(),
  title: z.string().max(200).exactOptional(),
  x_title: z.string().max(100).exactOptional(),
  y_title: z.string().max(100).exactOptional(),
  format: numberFormatSchema.exactOptional(),
  stacked: z.boolean().exactOptional(),
  horizontal: z.boolean().exactOptional(),
  sort: z.enum(['given', 'ascending', 'descending']).exactOptional(),
  /** The first so many categories; the rest is left out and said so. */
  limit: z.int().min(1).max(1_000).exactOptional(),
})
export type ChartSpec = z.infer<typeof chartSpecSchema>
