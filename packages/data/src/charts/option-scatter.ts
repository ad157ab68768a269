import type { EChartsOption } from 'echarts'
import { gridOf, timeAxis, valueAxis } from './axes.ts'
import { type Frame, tooltipText } from './frame.ts'
import { createTickText } from './numbers.ts'
import type { ScatterPlot } from './plot-scatter.ts'

export function scatterOption(plot: ScatterPlot, frame: Frame): EChartsOption {
  const { colours, language } = frame
  const legend = frame.legend(plot.series.map(({ label }) => label))
  const points = plot.series.flatMap((one) => one.points)
  // The format is of what is measured, so of y.
  const plain = { ...frame, tickText: (most: number) => createTickText(undefined, language, most) }
  const across = plot.on_time
    ? timeAxis(frame, plot.x_title)
    : valueAxis(plain, {
        title: plot.x_title,
        ...rangeOf(points.map(({ x }) => x)),
        scale: true,
        lying: true,
      })
  return {
    title: frame.title,
    grid: gridOf(frame, { bottom: legend.height }),
    legend: legend.option,
    tooltip: {
      ...frame.tooltip,
      trigger: 'item',
      formatter: (param: unknown) => {
        const { seriesIndex, dataIndex } = param as { seriesIndex: number; dataIndex: number }
        const series = plot.series[seriesIndex]
        const point = series?.points[dataIndex]
        if (series === undefined || point === undefined) return ''
        return [
          tooltipText(series.label),
          `${tooltipText(plot.x_title)}  ${tooltipText(point.x_text)}`,
          `${tooltipText(plot.y_title)}  ${tooltipText(frame.numberText(point.exact))}`,
        ].join('\n')
      },
    },
    xAxis: across,
    yAxis: valueAxis(frame, {
      title: plot.y_title,
      ...rangeOf(points.map(({ y }) => y)),
      scale: true,
      lying: false,
    }),
    series: plot.series.map((series, i) => ({
      ...{ type: 'scatter', id: `s${i}`, name: `s${i}` },
      symbol: ['circle', 'rect', 'triangle', 'diamond'][i % 4]!,
      symbolSize: points.length > 500 ? 4 : 8,
      itemStyle: { color: colours.series[i % colours.series.length]!, opacity: 0.75 },
      data: series.points.map(({ x, y }) => [x, y]),
    })),
  } as EChartsOption
}

function rangeOf(values: readonly number[]): { min: number; max: number } {
  return {
    min: values.reduce((least, value) => Math.min(least, value), values[0] ?? 0),
    max: values.reduce((most, value) => Math.max(most, value), values[0] ?? 0),
  }
}
