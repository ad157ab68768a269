import type { DataValue } from '@dataagent/schema'
import { type ChartInput, indexOf } from './chart-input.ts'
import { checkChart } from './check-chart.ts'
import { cleanText } from './clean-text.ts'
import { countText, createNumberText, toNumber } from './numbers.ts'
import { type CartesianPlot, toCartesian } from './plot-cartesian.ts'
import { type HeatmapPlot, toHeatmap } from './plot-heatmap.ts'
import { type PiePlot, toPie } from './plot-pie.ts'
import { type ScatterPlot, toScatter } from './plot-scatter.ts'
import { wordsOf } from './words.ts'

export interface NumberPlot {
  kind: 'number'
  text: string
  label: string
  value: number | null
  notes: string[]
}

/** Nothing to draw: the chart does not fit, or the result has no rows. */
export interface EmptyPlot {
  kind: 'empty'
  text: string
  details: string[]
  notes: string[]
}

/** What is drawn, whoever draws it: numbers in their places with labels as people read them. */
export type Plot = EmptyPlot | NumberPlot | CartesianPlot | PiePlot | ScatterPlot | HeatmapPlot

/** Never throws: a chart that does not fit becomes a plot that says so. */
export function toPlot(input: ChartInput): Plot {
  const { spec, columns, rows, language } = input
  const words = wordsOf(language)
  const problems = checkChart(spec, columns)
  if (problems.length > 0) {
    return { kind: 'empty', text: words.unfit, details: problems.map(cleanText), notes: [] }
  }
  if (rows.length === 0) return { kind: 'empty', text: words.no_rows, details: [], notes: [] }
  if (spec.type === 'number') return toNumberPlot(input)
  if (spec.type === 'pie') return toPie(input)
  if (spec.type === 'scatter') return toScatter(input)
  return spec.type === 'heatmap' ? toHeatmap(input) : toCartesian(input)
}

function toNumberPlot({ spec, columns, rows, language }: ChartInput): NumberPlot {
  const index = indexOf(columns, spec.y[0]!)
  const value: DataValue = rows[0]?.[index] ?? null
  const count = countText(rows.length, language)
  return {
    kind: 'number',
    text: cleanText(createNumberText(spec.format, language)(value)),
    label: cleanText(spec.y_title ?? spec.y[0]!),
    value: toNumber(value),
    notes: rows.length > 1 ? [wordsOf(language).first_of(count)] : [],
  }
}
