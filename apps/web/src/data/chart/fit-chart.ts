import { isNumeric } from '@dataagent/data/charts'
import type { ChartSpec, ChartType, DataColumn } from '@dataagent/schema'

const single: readonly ChartType[] = ['number', 'pie', 'heatmap']
const asIs = { sort: undefined, horizontal: undefined, stacked: undefined, limit: undefined }

/** Whether a chart of the type shows one measure alone. */
export function isSingle({ type, series }: ChartSpec): boolean {
  return single.includes(type) || series !== undefined
}

/** A chart of the columns, where there is anything to measure. */
export function firstChart(columns: readonly DataColumn[]): ChartSpec | undefined {
  const measure = columns.find(({ kind }) => isNumeric(kind))
  if (!measure) return undefined
  return fitChart({ type: 'bar', y: [measure.name] }, columns)
}

/** The chart as it is wanted, with what its type needs besides and without what it cannot have. */
export function fitChart(wanted: ChartSpec, columns: readonly DataColumn[]): ChartSpec {
  const { type } = wanted
  const y = isSingle(wanted) || type === 'heatmap' ? wanted.y.slice(0, 1) : wanted.y
  if (type === 'number') return clean({ ...wanted, ...asIs, y, x: undefined, series: undefined })
  const x = fitX({ ...wanted, y }, columns)
  const rest = y.filter((name) => name !== x)
  const measures = type === 'scatter' || rest.length === 0 ? y : rest
  const series = fitSeries({ ...wanted, y: measures }, x, columns)
  const one = series === undefined ? measures : measures.slice(0, 1)
  return clean({ ...wanted, x, series, y: one as ChartSpec['y'] })
}

/** A scatter chart needs a number or a time across; others would rather have a category. */
function fitX({ type, x, y }: ChartSpec, columns: readonly DataColumn[]): string | undefined {
  const fits = (column: DataColumn) => type !== 'scatter' || isPlace(column)
  const others = columns.filter((column) => !y.includes(column.name) && isAxis(column))
  const given = columns.find(({ name }) => name === x)
  if (given && fits(given)) return x
  const categories = others.filter(({ kind }) => !isNumeric(kind))
  const first = type === 'scatter' ? others.find(fits) : (categories[0] ?? others[0])
  return (first ?? columns[0])?.name
}

function fitSeries(
  { type, series, y }: ChartSpec,
  x: string | undefined,
  columns: readonly DataColumn[],
) {
  const isFree = (name: string) => name !== x && !y.includes(name)
  if (type === 'pie') return undefined
  if (series !== undefined && isFree(series)) return series
  if (type !== 'heatmap') return undefined
  const free = columns.filter((column) => isFree(column.name) && isAxis(column))
  return (free.find(({ kind }) => !isNumeric(kind)) ?? free[0])?.name
}

const isAxis = ({ kind }: DataColumn) => kind !== 'json' && kind !== 'bytes'
const isPlace = ({ kind }: DataColumn) =>
  isNumeric(kind) || kind === 'date' || kind === 'timestamp' || kind === 'time'

/** Without the fields that are undefined: none of them may be. */
function clean(fields: { [K in keyof ChartSpec]: ChartSpec[K] | undefined }): ChartSpec {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as ChartSpec
}
