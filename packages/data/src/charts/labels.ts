import type { DataColumn, DataRow, DataValue } from '@dataagent/schema'
import { cleanText } from './clean-text.ts'
import { createTimeText, isTime, toTime } from './times.ts'
import { type ChartLanguage, wordsOf } from './words.ts'

/** Writes the values of a column as labels: nothing in them is markup or moves a terminal. */
export function createLabels(
  column: DataColumn,
  values: readonly (DataValue | undefined)[],
  language: ChartLanguage,
): (value: DataValue | undefined) => string {
  const words = wordsOf(language)
  const times = isTime(column.kind) ? values.map(toTime).filter((time) => time !== null) : []
  const timeText = createTimeText(times, language)
  return (value) => {
    if (value === null || value === undefined) return words.null_label
    if (typeof value === 'boolean') return value ? words.yes : words.no
    const time = isTime(column.kind) ? toTime(value) : null
    if (time !== null) return timeText(time)
    return cleanText(String(value)) || words.empty_label
  }
}

/** The values of one column. */
export function valuesOf(rows: readonly DataRow[], index: number): DataValue[] {
  return rows.map((row) => row[index] ?? null)
}

/** A key that tells values apart as a result does: NULL is not the text "null". */
export function keyOf(value: DataValue | undefined): string {
  return value === null || value === undefined ? 'null' : `${typeof value} ${value}`
}
