import type { DataRow, DataValue } from '@dataagent/schema'
import { type ChartInput, indexOf } from './chart-input.ts'
import { cleanText } from './clean-text.ts'
import { createLabels, keyOf, valuesOf } from './labels.ts'
import { countText, createNumberText, toNumber } from './numbers.ts'
import { isTime, toTime } from './times.ts'
import { wordsOf } from './words.ts'

export interface ScatterPoint {
  x: number
  y: number
  x_text: string
  exact: DataValue
}

export interface ScatterPlot {
  kind: 'scatter'
  x_title: string
  y_title: string
  on_time: boolean
  series: { label: string; points: ScatterPoint[] }[]
  notes: string[]
}

const mostPoints = 5_000
const mostSeries = 20

export function toScatter({ spec, columns, rows, language }: ChartInput): ScatterPlot {
  const words = wordsOf(language)
  const count = (value: number) => countText(value, language)
  const xIndex = indexOf(columns, spec.x!)
  const onTime = isTime(columns[xIndex]!.kind)
  const place = (row: DataRow) => (onTime ? toTime(row[xIndex]) : toNumber(row[xIndex]))
  const placed = rows.filter((row) => place(row) !== null)
  const drawn = evenly(placed, Math.floor(mostPoints / spec.y.length))
  const xText = onTime
    ? createLabels(columns[xIndex]!, valuesOf(rows, xIndex), language)
    : createNumberText(undefined, language)
  const groups = new Map<string, ScatterPlot['series'][number]>()
  const label = splitLabel()
  for (const row of drawn) {
    for (const name of spec.y) {
      const exact = row[indexOf(columns, name)] ?? null
      const y = toNumber(exact)
      if (y === null) continue
      const split = label === undefined ? undefined : row[label.index]
      const key = label === undefined ? name : keyOf(split)
      const group = groups.get(key) ?? {
        label: label === undefined ? cleanText(name) : label.text(split),
        points: [],
      }
      groups.set(key, group)
      group.points.push({ x: place(row)!, y, x_text: xText(row[xIndex]), exact })
    }
  }
  const largest = [...groups.values()].sort((a, b) => b.points.length - a.points.length)
  const series = largest.slice(0, mostSeries)
  const notes: string[] = []
  if (placed.length < rows.length) notes.push(words.unplaced(count(rows.length - placed.length)))
  if (drawn.length < placed.length)
    notes.push(words.sampled(count(drawn.length), count(placed.length)))
  if (groups.size > series.length)
    notes.push(words.series_left_out(count(groups.size - series.length)))
  return {
    kind: 'scatter',
    x_title: cleanText(spec.x_title ?? spec.x!),
    y_title: cleanText(spec.y_title ?? spec.y.join(words.and)),
    on_time: onTime,
    series,
    notes,
  }

  function splitLabel() {
    if (spec.series === undefined) return undefined
    const index = indexOf(columns, spec.series)
    return { index, text: createLabels(columns[index]!, valuesOf(rows, index), language) }
  }
}

function evenly<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!)
}
