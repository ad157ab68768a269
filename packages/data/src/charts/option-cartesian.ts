import type { EChartsOption, SeriesOption } from 'echarts'
import { categoryAxis, gridOf, timeAxis, valueAxis } from './axes.ts'
import { cleanText } from './clean-text.ts'
import { type Frame, tooltipText } from './frame.ts'
import type { CartesianPlot, PlotSeries } from './plot-cartesian.ts'
import { cutText } from './text-width.ts'

interface Hovered {
  dataIndex: number
  seriesIndex: number
  marker: string
  value: unknown
}

const labelledBars = 20
const dotted = 60

export function cartesianOption(plot: CartesianPlot, frame: Frame): EChartsOption {
  const { spec } = frame
  const upright = plot.mark === 'bar' && spec.horizontal === true
  const legend = frame.legend(plot.series.map(({ label }) => label))
  const range = rangeOf(plot, spec.stacked === true)
  const single = plot.series.length === 1 && spec.series === undefined
  const yTitle = cleanText(spec.y_title ?? (single || spec.series !== undefined ? spec.y[0]! : ''))
  const values = valueAxis(frame, { title: yTitle, ...range, lying: upright })
  const places =
    plot.times === undefined
      ? categoryAxis(frame, plot.labels, { title: plot.x_title, upright })
      : timeAxis(frame, plot.x_title)
  return {
    title: frame.title,
    grid: gridOf(frame, { bottom: legend.height, right: upright ? 84 : 24 }),
    legend: legend.option,
    tooltip: {
      ...frame.tooltip,
      trigger: 'axis',
      formatter: (params: unknown) => hoverText(plot, frame, params as Hovered[]),
    },
    xAxis: upright ? values : places,
    yAxis: upright ? places : values,
    series: plot.series.map((series, i) => toSeries({ plot, frame, series, i })),
  } as EChartsOption
}

function toSeries({ plot, frame, series, i }: SeriesInput): SeriesOption {
  const { spec, colours } = frame
  const base = {
    ...{ id: `s${i}`, name: `s${i}`, data: pointsOf(plot, series, spec.stacked === true) },
    ...(spec.stacked ? { stack: 'all' } : {}),
    itemStyle: { color: colours.series[i % colours.series.length]! },
  }
  if (plot.mark === 'bar') return { ...base, type: 'bar', barMaxWidth: 56, label: barLabel() }
  return {
    ...{ ...base, type: 'line', connectNulls: false },
    ...{ showSymbol: plot.labels.length <= dotted, symbolSize: 6, symbol: symbolOf(i) },
    lineStyle: { width: 2, type: i < colours.series.length ? 'solid' : 'dashed' },
    ...(plot.mark === 'area' ? { areaStyle: { opacity: spec.stacked ? 0.7 : 0.25 } } : {}),
  }

  function barLabel() {
    const show = plot.series.length === 1 && plot.labels.length <= labelledBars
    return {
      ...{ show, fontSize: 11, color: colours.text },
      position: spec.horizontal ? ('right' as const) : ('top' as const),
      formatter: ({ dataIndex }: { dataIndex: number }) =>
        cutText(
          series.exact[dataIndex] == null ? '' : frame.numberText(series.exact[dataIndex]),
          16,
        ),
    }
  }
}

interface SeriesInput {
  plot: CartesianPlot
  frame: Frame
  series: PlotSeries
  i: number
}

/**
 * On a time axis each point carries its place, and where a series has no row there is no point. A
 * stack is added up by index, so there every series has every place.
 */
function pointsOf({ times }: CartesianPlot, { values }: PlotSeries, stacked: boolean) {
  if (times === undefined) return values.map((value) => value ?? null)
  return values.flatMap((value, i) =>
    value === undefined && !stacked ? [] : [[times[i]!, value ?? null, i]],
  )
}

function hoverText(plot: CartesianPlot, frame: Frame, params: readonly Hovered[]): string {
  const first = params[0]
  if (first === undefined) return ''
  const placeOf = ({ value, dataIndex }: Hovered) =>
    Array.isArray(value) ? Number(value[2]) : dataIndex
  const lines = params.flatMap((param) => {
    const series = plot.series[param.seriesIndex]
    const exact = series?.exact[placeOf(param)]
    if (series === undefined || exact === undefined) return []
    return [`${param.marker}${tooltipText(series.label)}  ${tooltipText(frame.numberText(exact))}`]
  })
  return [tooltipText(plot.labels[placeOf(first)] ?? ''), ...lines].join('\n')
}

/** The ends of the axis, and whether a line may leave zero out to be readable. */
function rangeOf({ mark, series, labels }: CartesianPlot, stacked: boolean) {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let highest = 0
  for (const i of labels.keys()) {
    let sum = 0
    for (const { values } of series) {
      const value = values[i]
      if (typeof value !== 'number') continue
      sum += Math.abs(value)
      min = Math.min(min, value)
      max = Math.max(max, value)
    }
    highest = Math.max(highest, sum)
  }
  if (min > max) return { min: 0, max: 0, scale: false }
  if (stacked) return { min, max: highest, scale: false }
  return { min, max, scale: mark === 'line' && min > 0 && min > max * 0.6 }
}

function symbolOf(i: number): string {
  return (['circle', 'rect', 'triangle', 'diamond'] as const)[i % 4]!
}
