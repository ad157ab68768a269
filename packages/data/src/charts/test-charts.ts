import type { ChartSpec, ChartType, ColumnKind, DataColumn, DataRow } from '@dataagent/schema'

export interface TestChart {
  spec: ChartSpec
  columns: DataColumn[]
  rows: DataRow[]
}

export function column(name: string, kind: ColumnKind): DataColumn {
  return { name, kind, type: kind.toUpperCase() }
}

const months = Array.from({ length: 12 }, (_, i) => `2025-${String(i + 1).padStart(2, '0')}-01`)
const regions = ['华东', '华南', '华北', 'West & <b>South</b>']
const sales = months.flatMap((month, m) =>
  regions.map(
    (region, r): DataRow => [month, region, `${90_000 + m * 1_000 + r * 20_000}.50`, m + r],
  ),
)
const columns = [
  ...[column('month', 'date'), column('region', 'text')],
  ...[column('amount', 'decimal'), column('orders', 'integer')],
]

/** One chart of each type over the same monthly sales. */
export const testCharts: Record<ChartType, TestChart> = {
  number: { spec: { type: 'number', y: ['amount'] }, columns, rows: sales.slice(0, 1) },
  bar: { spec: { type: 'bar', x: 'region', y: ['amount'] }, columns, rows: sales.slice(0, 4) },
  line: {
    ...{ columns, rows: sales },
    spec: { type: 'line', x: 'month', y: ['amount'], series: 'region', title: 'Sales' },
  },
  area: {
    ...{ columns, rows: sales },
    spec: { type: 'area', x: 'month', y: ['amount'], series: 'region', stacked: true },
  },
  pie: { spec: { type: 'pie', x: 'region', y: ['amount'] }, columns, rows: sales.slice(0, 4) },
  scatter: {
    ...{ columns, rows: sales },
    spec: { type: 'scatter', x: 'orders', y: ['amount'], series: 'region' },
  },
  heatmap: {
    ...{ columns, rows: sales },
    spec: { type: 'heatmap', x: 'month', y: ['amount'], series: 'region' },
  },
}
