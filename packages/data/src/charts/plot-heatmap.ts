import type { DataValue } from '@dataagent/schema'
import { type ChartInput, indexOf } from './chart-input.ts'
import { cleanText } from './clean-text.ts'
import { createLabels, keyOf, valuesOf } from './labels.ts'
import { countText, toNumber } from './numbers.ts'
import { isTime, toTime } from './times.ts'
import { wordsOf } from './words.ts'

export interface HeatmapPlot {
  kind: 'heatmap'
  x_title: string
  y_title: string
  columns: string[]
  rows: string[]
  cells: { column: number; row: number; value: number; exact: DataValue }[]
  notes: string[]
}

const mostColumns = 200
const mostRows = 100

export function toHeatmap({ spec, columns, rows, language }: ChartInput): HeatmapPlot {
  const words = wordsOf(language)
  const count = (value: number) => countText(value, language)
  const across = toSide(spec.x!, Math.min(spec.limit ?? mostColumns, mostColumns))
  const down = toSide(spec.series!, mostRows)
  const yIndex = indexOf(columns, spec.y[0]!)
  const cells = new Map<string, HeatmapPlot['cells'][number]>()
  let repeated = 0
  for (const row of rows) {
    const column = across.places.get(keyOf(row[across.index]))
    const line = down.places.get(keyOf(row[down.index]))
    const value = toNumber(row[yIndex])
    if (column === undefined || line === undefined || value === null) continue
    const key = `${column} ${line}`
    if (cells.has(key)) repeated += 1
    else cells.set(key, { column, row: line, value, exact: row[yIndex] ?? null })
  }
  const notes: string[] = []
  const leftOut = across.left_out + down.left_out
  if (leftOut > 0) notes.push(words.left_out(count(leftOut)))
  if (repeated > 0) notes.push(words.repeated(count(repeated)))
  return {
    kind: 'heatmap',
    x_title: cleanText(spec.x_title ?? spec.x!),
    y_title: cleanText(spec.y_title ?? spec.series!),
    columns: across.labels,
    rows: down.labels,
    cells: [...cells.values()],
    notes,
  }

  /** The values of a column as places, in the order given or of time. */
  function toSide(name: string, most: number) {
    const index = indexOf(columns, name)
    const column = columns[index]!
    const values = valuesOf(rows, index)
    const labels = createLabels(column, values, language)
    const unique = [...new Map(values.map((value) => [keyOf(value), value])).values()]
    const ordered = isTime(column.kind) ? unique.sort((a, b) => timeOf(a) - timeOf(b)) : unique
    const kept = ordered.slice(0, most)
    return {
      index,
      labels: kept.map(labels),
      places: new Map(kept.map((value, i) => [keyOf(value), i])),
      left_out: ordered.length - kept.length,
    }
  }
}

function timeOf(value: DataValue): number {
  return toTime(value) ?? Number.MAX_SAFE_INTEGER
}
