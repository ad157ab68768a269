import type { ChartSpec, DataValue } from '@dataagent/schema'
import type { EChartsOption } from 'echarts'
import { cleanText } from './clean-text.ts'
import { createNumberText, createTickText } from './numbers.ts'
import type { Plot } from './plot.ts'
import { cutText, textWidth } from './text-width.ts'
import { type ChartColours, type ChartTheme, chartFont, coloursOf } from './theme.ts'
import { type ChartLanguage, wordsOf } from './words.ts'

/** What every kind of chart has around it: titles, legend, colours, the way numbers are written. */
export interface Frame {
  spec: ChartSpec
  language: ChartLanguage
  width: number
  colours: ChartColours
  font: string
  /** Where the drawing begins below the titles. */
  top: number
  title: NonNullable<EChartsOption['title']>
  numberText(value: DataValue | undefined): string
  tickText(most: number): (value: number) => string
  tooltip: Record<string, unknown>
  /** The legend of series `s0`, `s1` …, and the height it takes at the bottom. */
  legend(labels: readonly string[]): { option: EChartsOption['legend']; height: number }
}

export interface FrameInput {
  spec: ChartSpec
  plot: Plot
  language: ChartLanguage
  theme: ChartTheme
  width: number
}

const pixelsOfCell = 6.8

export function createFrame({ spec, plot, language, theme, width }: FrameInput): Frame {
  const colours = coloursOf(theme)
  const numberText = createNumberText(spec.format, language)
  const title = cutText(cleanText(spec.title ?? ''), Math.floor((width - 32) / 8.6))
  const notes = cutText(capitalised(plot.notes, language), Math.floor((width - 32) / pixelsOfCell))
  return {
    ...{ spec, language, width, colours, font: chartFont },
    top: 16 + (title === '' ? 0 : 26) + (notes === '' ? 0 : 22),
    title: {
      ...{ text: title, subtext: notes, left: 12, top: 8, itemGap: title === '' ? 0 : 6 },
      textStyle: { color: colours.text, fontSize: 16, fontWeight: 600 },
      subtextStyle: { color: colours.faint, fontSize: 12 },
    },
    numberText: (value) => cleanText(numberText(value)),
    tickText: (most) => createTickText(spec.format, language, most),
    tooltip: {
      ...{ show: true, renderMode: 'richText', confine: true },
      ...{ backgroundColor: colours.panel, borderColor: colours.line },
      textStyle: { color: colours.text, fontSize: 12, fontFamily: chartFont },
    },
    legend: (labels) => toLegend(labels, colours, width),
  }
}

/** Text for a tooltip: its braces name no style. */
export function tooltipText(text: string): string {
  return cutText(text, 80).replaceAll('{', '{\u2060')
}

function capitalised(notes: readonly string[], language: ChartLanguage): string {
  const text = notes.join(language === 'zh' ? '；' : '; ')
  return text.charAt(0).toLocaleUpperCase(wordsOf(language).locale) + text.slice(1)
}

function toLegend(labels: readonly string[], colours: ChartColours, width: number) {
  if (labels.length < 2) return { option: { show: false }, height: 0 }
  const shown = labels.map((label) => cutText(label, 24))
  const room = width - 32
  let lines = 1
  let taken = 0
  for (const label of shown) {
    const needed = 40 + textWidth(label) * pixelsOfCell
    if (taken > 0 && taken + needed > room) [lines, taken] = [lines + 1, 0]
    taken += needed
  }
  return {
    option: {
      ...{ show: true, type: 'plain' as const, left: 'center', bottom: 6, width: room },
      data: labels.map((_, i) => `s${i}`),
      formatter: (name: string) => shown[Number(name.slice(1))] ?? '',
      ...{ itemWidth: 18, itemHeight: 10, itemGap: 12 },
      textStyle: { color: colours.text, fontSize: 12 },
    },
    height: 8 + lines * 24,
  }
}
