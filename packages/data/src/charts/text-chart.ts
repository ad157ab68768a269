import type { ChartSpec, DataColumn, DataRow } from '@dataagent/schema'
import { cleanText } from './clean-text.ts'
import { createNumberText } from './numbers.ts'
import { type Plot, toPlot } from './plot.ts'
import type { CartesianPlot } from './plot-cartesian.ts'
import type { PiePlot } from './plot-pie.ts'
import { type BarGroup, textBars } from './text-bars.ts'
import { type TextInput, textHeatmap, textLines, textPoints } from './text-marks.ts'
import { cutText } from './text-width.ts'
import type { ChartLanguage } from './words.ts'

export interface TextChartOptions {
  /** In cells of the terminal, where a Chinese character takes two; at least 20. */
  width: number
  /** Default `en`. */
  language?: ChartLanguage
}

/**
 * A chart for a terminal: bars, sparklines, points and shades in plain text, without colours and
 * without anything in the data that a terminal would obey. No line is wider than `width`. Never
 * throws: what does not fit is a sentence that says so.
 */
export function toTextChart(
  spec: ChartSpec,
  columns: readonly DataColumn[],
  rows: readonly DataRow[],
  { width, language = 'en' }: TextChartOptions,
): string {
  const room = Math.max(20, Math.floor(width))
  const plot = toPlot({ spec, columns, rows, language })
  const numbers = createNumberText(spec.format, language)
  const marks = marksOf(plot, { width: room, text: (value) => cleanText(numbers(value)) })
  const title = cleanText(spec.title ?? '')
  const notes = plot.notes.map((note) => `(${note})`)
  return [...(title === '' ? [] : [title]), ...marks, ...notes]
    .map((line) => cutText(line, room).trimEnd())
    .join('\n')
}

function marksOf(plot: Plot, input: TextInput): string[] {
  if (plot.kind === 'empty') return [plot.text, ...plot.details]
  if (plot.kind === 'number') return [plot.text, plot.label]
  if (plot.kind === 'heatmap') return textHeatmap(plot, input)
  if (plot.kind === 'scatter') return textPoints(plot, input)
  if (plot.kind === 'pie') return textBars([pieGroup(plot)], input.width)
  if (plot.mark === 'bar') return textBars(barGroups(plot, input), input.width)
  return textLines(plot, input)
}

function pieGroup({ slices }: PiePlot): BarGroup {
  const total = slices.reduce((sum, { value }) => sum + value, 0)
  const share = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
  const bars = slices.map(({ label, value, text }) => ({
    ...{ label, value },
    text: `${text}  ${share.format(total === 0 ? 0 : value / total)}`,
  }))
  return { bars }
}

function barGroups({ labels, series }: CartesianPlot, { text }: TextInput): BarGroup[] {
  const barAt = (i: number, one: number, label: string) => {
    const { values, exact } = series[one]!
    return { label, value: values[i] ?? null, text: exact[i] === undefined ? '' : text(exact[i]) }
  }
  if (series.length === 1) return [{ bars: labels.map((label, i) => barAt(i, 0, label)) }]
  return labels.map((heading, i) => ({
    heading,
    bars: series.map(({ label }, one) => barAt(i, one, label)),
  }))
}
