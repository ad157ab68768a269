import type { EChartsOption } from 'echarts'
import { categoryAxis, gridOf } from './axes.ts'
import { type Frame, tooltipText } from './frame.ts'
import type { HeatmapPlot } from './plot-heatmap.ts'
import { cutText } from './text-width.ts'

const labelledCells = 120

export function heatmapOption(plot: HeatmapPlot, frame: Frame): EChartsOption {
  const { colours, spec } = frame
  const values = plot.cells.map(({ value }) => value)
  const min = values.reduce((least, value) => Math.min(least, value), values[0] ?? 0)
  const max = values.reduce((most, value) => Math.max(most, value), values[0] ?? 0)
  const tick = frame.tickText(Math.max(Math.abs(min), Math.abs(max)))
  const small = plot.cells.length <= labelledCells && plot.columns.length <= 16
  return {
    title: frame.title,
    grid: gridOf(frame, { bottom: 44 }),
    tooltip: {
      ...frame.tooltip,
      trigger: 'item',
      formatter: (param: unknown) => {
        const cell = plot.cells[(param as { dataIndex: number }).dataIndex]
        if (cell === undefined) return ''
        const place = `${plot.columns[cell.column]} · ${plot.rows[cell.row]}`
        const value = tooltipText(frame.numberText(cell.exact))
        return `${tooltipText(place)}\n${tooltipText(spec.y[0]!)}  ${value}`
      },
    },
    xAxis: categoryAxis(frame, plot.columns, { title: plot.x_title, upright: false }),
    yAxis: categoryAxis(frame, plot.rows, { title: plot.y_title, upright: true }),
    visualMap: {
      ...{ type: 'continuous', min, max: max > min ? max : min + Math.max(1, Math.abs(min)) },
      ...{ orient: 'horizontal', left: 'center', bottom: 6, itemWidth: 12, itemHeight: 160 },
      ...{ calculable: false, text: [tick(max), tick(min)] },
      inRange: { color: colours.scale },
      textStyle: { color: colours.text },
    },
    series: [
      {
        type: 'heatmap',
        data: plot.cells.map(({ column, row, value }) => [column, row, value]),
        itemStyle: { borderColor: colours.background, borderWidth: 1 },
        label: {
          ...{ show: small, fontSize: 11 },
          formatter: ({ dataIndex }: { dataIndex: number }) =>
            cutText(frame.numberText(plot.cells[dataIndex]!.exact), 10),
        },
      },
    ],
  } as EChartsOption
}
