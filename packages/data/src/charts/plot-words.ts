import type { ChartSpec, DataValue } from '@dataagent/schema'
import { cleanText } from './clean-text.ts'
import { createNumberText } from './numbers.ts'
import type { Plot } from './plot.ts'
import { type ChartLanguage, wordsOf } from './words.ts'

/** A chart in words, for those who do not see it. */
export function plotWords(plot: Plot, spec: ChartSpec, language: ChartLanguage): string {
  const words = wordsOf(language)
  if (plot.kind === 'empty') return [plot.text, ...plot.details].join(' ')
  if (plot.kind === 'number') return `${cleanText(spec.title ?? plot.label)}: ${plot.text}`
  const by = [spec.x, spec.series].filter((name) => name !== undefined).map(cleanText)
  const measures = spec.y.map(cleanText).join(words.and)
  const text = createNumberText(spec.format, language)
  const ends = endsOf(plot)
  const sentences = [
    ...(spec.title === undefined ? [] : [`${cleanText(spec.title)}.`]),
    words.described(words.types[spec.type], measures, by.join(words.and)),
    ...(ends === undefined
      ? []
      : [
          words.highest(ends.highest.label, cleanText(text(ends.highest.exact))),
          words.lowest(ends.lowest.label, cleanText(text(ends.lowest.exact))),
        ]),
    ...plot.notes,
  ]
  return sentences.join(' ')
}

interface Mark {
  label: string
  value: number
  exact: DataValue
}

function endsOf(plot: Plot): { highest: Mark; lowest: Mark } | undefined {
  let highest: Mark | undefined
  let lowest: Mark | undefined
  for (const mark of marksOf(plot)) {
    if (highest === undefined || mark.value > highest.value) highest = mark
    if (lowest === undefined || mark.value < lowest.value) lowest = mark
  }
  return highest === undefined || lowest === undefined ? undefined : { highest, lowest }
}

function* marksOf(plot: Plot): Generator<Mark> {
  if (plot.kind === 'cartesian') {
    for (const { label, values, exact } of plot.series) {
      const prefix = plot.series.length > 1 ? `${label} ` : ''
      for (const [i, value] of values.entries()) {
        if (typeof value !== 'number') continue
        yield { label: prefix + plot.labels[i], value, exact: exact[i] ?? null }
      }
    }
  } else if (plot.kind === 'pie') {
    for (const { label, value, rest } of plot.slices) {
      if (!rest) yield { label, value, exact: value }
    }
  } else if (plot.kind === 'heatmap') {
    for (const { column, row, value, exact } of plot.cells) {
      yield { label: `${plot.columns[column]} ${plot.rows[row]}`, value, exact }
    }
  } else if (plot.kind === 'scatter') {
    for (const { points } of plot.series) {
      for (const { x_text, y, exact } of points) yield { label: x_text, value: y, exact }
    }
  }
}
