import type { ChartSpec, DataColumn, DataRow } from '@dataagent/schema'
import type { ChartLanguage } from './words.ts'

/** A chart and the result it is of. */
export interface ChartInput {
  spec: ChartSpec
  columns: readonly DataColumn[]
  rows: readonly DataRow[]
  language: ChartLanguage
}

/** Where a column stands in the rows. */
export function indexOf(columns: readonly DataColumn[], name: string): number {
  return columns.findIndex((column) => column.name === name)
}
