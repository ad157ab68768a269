import { type ChartInput, indexOf } from './chart-input.ts'
import { cleanText } from './clean-text.ts'
import { createLabels, valuesOf } from './labels.ts'
import { countText, createNumberText, toNumber } from './numbers.ts'
import { wordsOf } from './words.ts'

export interface PieSlice {
  label: string
  value: number
  text: string
  /** Whether it stands for the categories that are not drawn one by one. */
  rest: boolean
}

export interface PiePlot {
  kind: 'pie'
  x_title: string
  y_title: string
  slices: PieSlice[]
  notes: string[]
}

const mostSlices = 12

/** The shares are of all rows: what is over the limit is one slice. */
export function toPie({ spec, columns, rows, language }: ChartInput): PiePlot {
  const words = wordsOf(language)
  const count = (value: number) => countText(value, language)
  const xIndex = indexOf(columns, spec.x!)
  const yIndex = indexOf(columns, spec.y[0]!)
  const labels = createLabels(columns[xIndex]!, valuesOf(rows, xIndex), language)
  const text = createNumberText(spec.format, language)
  const all = rows.map((row) => ({ row, value: toNumber(row[yIndex]) }))
  const drawn = all.filter(({ value }) => value !== null && value >= 0)
  const negative = all.filter(({ value }) => value !== null && value < 0).length
  const order = spec.sort === 'given' ? drawn : [...drawn].sort((a, b) => b.value! - a.value!)
  if (spec.sort === 'ascending') order.reverse()
  const limit = spec.limit ?? mostSlices
  const slices: PieSlice[] = order.slice(0, limit).map(({ row, value }) => ({
    ...{ label: labels(row[xIndex]), value: value!, rest: false },
    text: cleanText(text(row[yIndex])),
  }))
  const rest = order.slice(limit)
  if (rest.length > 0) {
    const value = rest.reduce((sum, one) => sum + one.value!, 0)
    slices.push({ label: words.others(count(rest.length)), value, text: text(value), rest: true })
  }
  return {
    kind: 'pie',
    x_title: cleanText(spec.x_title ?? spec.x!),
    y_title: cleanText(spec.y_title ?? spec.y[0]!),
    slices,
    notes: negative > 0 ? [words.negative(count(negative))] : [],
  }
}
