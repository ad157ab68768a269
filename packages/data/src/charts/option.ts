import type { EChartsOption } from 'echarts'
import type { ChartInput } from './chart-input.ts'
import { cleanText } from './clean-text.ts'
import { createFrame, type Frame } from './frame.ts'
import { cartesianOption } from './option-cartesian.ts'
import { heatmapOption } from './option-heatmap.ts'
import { pieOption } from './option-pie.ts'
import { scatterOption } from './option-scatter.ts'
import { type Plot, toPlot } from './plot.ts'
import { plotWords } from './plot-words.ts'
import { cutText, textWidth } from './text-width.ts'
import type { ChartTheme } from './theme.ts'

export interface ChartOptionInput extends ChartInput {
  theme: ChartTheme
  /** In pixels; default 720. */
  width?: number
}

/**
 * A chart as options of ECharts. Never throws: what does not fit is a picture that says so. All
 * text is data and none of it markup: tooltips are drawn, not written as HTML, and names that
 * ECharts would look up are our own.
 */
export function toChartOption(input: ChartOptionInput): EChartsOption {
  return toOption(toPlot(input), input)
}

/** The height in pixels at which a chart is easy to read. */
export function chartHeight(input: ChartInput): number {
  return heightOf(toPlot(input), input)
}

/** The option, the height and the words of one chart. */
export function toDrawing(input: ChartOptionInput) {
  const plot = toPlot(input)
  return {
    option: toOption(plot, input),
    height: heightOf(plot, input),
    description: plotWords(plot, input.spec, input.language),
  }
}

function toOption(plot: Plot, input: ChartOptionInput): EChartsOption {
  const { spec, language, theme, width = 720 } = input
  const frame = createFrame({ spec, plot, language, theme, width })
  const base: EChartsOption = {
    ...{ animation: false, useUTC: true, color: frame.colours.series },
    backgroundColor: 'transparent',
    textStyle: { fontFamily: frame.font, color: frame.colours.text },
    aria: { enabled: true, label: { description: plotWords(plot, spec, language) } },
  }
  if (plot.kind === 'empty') return { ...base, ...message(frame, plot.text, plot.details) }
  if (plot.kind === 'number') {
    const title = spec.title === undefined ? plot.label : cleanText(spec.title)
    return { ...base, ...bigNumber(frame, plot.text, [title, ...plot.notes]) }
  }
  if (plot.kind === 'pie') return { ...base, ...pieOption(plot, frame) }
  if (plot.kind === 'scatter') return { ...base, ...scatterOption(plot, frame) }
  if (plot.kind === 'heatmap') return { ...base, ...heatmapOption(plot, frame) }
  return { ...base, ...cartesianOption(plot, frame) }
}

function heightOf(plot: Plot, { spec }: ChartInput): number {
  if (plot.kind === 'number') return 180
  if (plot.kind === 'heatmap') return Math.min(2_400, Math.max(320, 150 + plot.rows.length * 26))
  if (plot.kind !== 'cartesian' || plot.mark !== 'bar' || !spec.horizontal) return 400
  const bars = plot.labels.length * (spec.stacked ? 1 : Math.min(plot.series.length, 6))
  return Math.min(6_000, Math.max(240, 130 + Math.max(bars * 16, plot.labels.length * 26)))
}

function message({ colours, width }: Frame, text: string, details: string[]): EChartsOption {
  const cells = Math.floor((width - 40) / 6.5)
  return {
    title: {
      ...{ text, left: 'center', top: 'middle' },
      subtext: details
        .slice(0, 4)
        .map((line) => cutText(line, cells))
        .join('\n'),
      textStyle: { color: colours.text, fontSize: 16 },
      subtextStyle: { color: colours.faint, fontSize: 12 },
    },
  }
}

function bigNumber({ colours, width }: Frame, text: string, lines: string[]): EChartsOption {
  const fits = Math.floor((width - 40) / (Math.max(1, textWidth(text)) * 0.62))
  const cells = Math.floor((width - 40) / 7.5)
  return {
    title: {
      ...{ text: cutText(text, Math.floor((width - 40) / 9)), left: 'center', top: 'middle' },
      subtext: lines.map((line) => cutText(line, cells)).join('\n'),
      itemGap: 8,
      textStyle: { color: colours.text, fontSize: Math.max(14, Math.min(56, fits)) },
      subtextStyle: { color: colours.faint, fontSize: 14 },
    },
  }
}
